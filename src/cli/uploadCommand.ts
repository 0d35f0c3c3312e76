import path from 'node:path';
import {
  MaskProblem,
  type PictureFile,
  serverPicture,
  uploadMaskFor,
  uploadPicture,
} from '../core/runs/maskUpload';
import type { Secrets } from '../core/safety/secrets';
import { printFailure } from './commandProblem';
import { apiKey } from './apiKey';
import { type Asking, CommandServer } from './commandServer';
import type { ClosableStack } from './closableStack';
import { exitCodes, plainText, type Terminal } from './terminal';
import type { Arguments } from './commandArguments';
import { readWholeFile, whyUnreadable } from './workflowFile';
import { t } from '../core/safety/localize';

/** Uploads a picture, with its mask if there is one, and prints the name to use in an input. */
export async function uploadCommand(
  options: Arguments<'upload'>,
  terminal: Terminal,
  http: ClosableStack,
  secrets: Secrets,
): Promise<number> {
  const abort = new AbortController();
  const forget = terminal.onInterrupt(() => {
    if (abort.signal.aborted) terminal.exit(exitCodes.cancelled);
    abort.abort(new DOMException('The upload was cancelled.', 'AbortError'));
  });
  try {
    const key = apiKey(options.keyEnv, terminal);
    const say = (sentence: string): void => terminal.err(`${plainText(sentence)}\n`);
    const value = await upload(options, key, { http, secrets, say }, terminal, abort.signal);
    terminal.out(
      options.json ? `${JSON.stringify({ event: 'uploaded', value })}\n` : `${plainText(value)}\n`,
    );
    return exitCodes.done;
  } catch (error) {
    if (abort.signal.aborted) return exitCodes.cancelled;
    return printFailure(error, terminal);
  } finally {
    forget();
    await http.close();
  }
}

async function upload(
  { picture, mask, on, overwrite, server }: Arguments<'upload'>,
  key: string | undefined,
  asking: Asking,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string> {
  const original = on === undefined ? await fileAt(picture) : serverPicture(picture, on);
  const opened = await CommandServer.open(server, key, asking, terminal);
  const { client } = opened.session;
  try {
    if (mask !== undefined) {
      const request = { picture: original, mask: await fileAt(mask), overwrite };
      return await uploadMaskFor(client, request, signal);
    }
    if (!('bytes' in original)) throw new MaskProblem(t`The server already has that image.`, t`Add a mask.`);
    return await uploadPicture(client, original, overwrite, signal);
  } finally {
    await opened.close();
  }
}

async function fileAt(file: string): Promise<PictureFile> {
  try {
    return { name: path.basename(file), bytes: await readWholeFile(file) };
  } catch (error) {
    throw new MaskProblem(whyUnreadable(file, error), t`Check the path.`, { cause: error });
  }
}
