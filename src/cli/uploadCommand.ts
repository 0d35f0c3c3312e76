import path from 'node:path';
import { JobStore } from '../core/jobs/jobStore';
import {
  MaskProblem,
  type PictureFile,
  serverPicture,
  uploadMaskFor,
  uploadPicture,
} from '../core/runs/maskUpload';
import { Secrets } from '../core/safety/secrets';
import { apiKey, keyNotSet } from './apiKey';
import { openSession, type SessionParts } from './openSession';
import type { ClosableStack } from './closableStack';
import { troubleOf } from './runWords';
import { exitCodes, plainText, type Terminal } from './terminal';
import type { Arguments } from './commandArguments';
import { readWholeFile, whyUnreadable } from './workflowFile';
import { sentencesText, t } from '../core/safety/localize';

/** Uploads a picture, with its mask if there is one, and prints the name to use in an input. */
export async function uploadCommand(
  options: Arguments<'upload'>,
  terminal: Terminal,
  http: ClosableStack,
  secrets = new Secrets(),
): Promise<number> {
  const key = apiKey(options.keyEnv, terminal);
  const abort = new AbortController();
  const forget = terminal.onInterrupt(() => {
    if (abort.signal.aborted) terminal.exit(exitCodes.cancelled);
    abort.abort(new DOMException('The upload was cancelled.', 'AbortError'));
  });
  try {
    if (options.keyEnv !== undefined && key === undefined) {
      const { message, nextAction } = keyNotSet(options.keyEnv);
      terminal.err(`${sentencesText(message, nextAction)}\n`);
      return exitCodes.usage;
    }
    const say = (sentence: string): void => terminal.err(`${plainText(sentence)}\n`);
    const value = await upload(options, { key, http, secrets, say }, abort.signal);
    terminal.out(
      options.json ? `${JSON.stringify({ event: 'uploaded', value })}\n` : `${plainText(value)}\n`,
    );
    return exitCodes.done;
  } catch (error) {
    if (abort.signal.aborted) return exitCodes.cancelled;
    const { message, nextAction } = error instanceof MaskProblem ? error : troubleOf(error);
    terminal.err(`${sentencesText(plainText(message), nextAction)}\n`);
    return exitCodes.failed;
  } finally {
    forget();
    await http.close();
  }
}

async function upload(
  { picture, mask, on, overwrite, server }: Arguments<'upload'>,
  parts: Omit<SessionParts, 'server' | 'store'>,
  signal: AbortSignal,
): Promise<string> {
  const original = on === undefined ? await fileAt(picture) : serverPicture(picture, on);
  const session = openSession({ server, store: new JobStore(), ...parts });
  try {
    if (mask !== undefined) {
      const request = { picture: original, mask: await fileAt(mask), overwrite };
      return await uploadMaskFor(session.client, request, signal);
    }
    if (!('bytes' in original)) throw new MaskProblem(t`The server already has that image.`, t`Add a mask.`);
    return await uploadPicture(session.client, original, overwrite, signal);
  } finally {
    await session.dispose();
  }
}

async function fileAt(file: string): Promise<PictureFile> {
  try {
    return { name: path.basename(file), bytes: await readWholeFile(file) };
  } catch (error) {
    throw new MaskProblem(whyUnreadable(file, error), t`Check the path.`, { cause: error });
  }
}
