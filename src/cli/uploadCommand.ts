import path from 'node:path';
import {
  MaskProblem,
  type PictureFile,
  serverPicture,
  uploadMaskFor,
  uploadPicture,
} from '../core/runs/maskUpload';
import { CommandServer } from './commandServer';
import { type CommandContext, exitCodes, jsonLine, plainTerminalLine } from './terminal';
import { readApiKey } from './commandProblem';
import type { Arguments } from './commandArguments';
import { runUntilInterrupted } from './readDefinitions';
import { readWholeFile, whyUnreadable } from './workflowFile';
import { t } from '../core/safety/localize';

export async function uploadCommand(options: Arguments<'upload'>, context: CommandContext): Promise<number> {
  const { terminal } = context;
  return runUntilInterrupted(terminal, async (signal) => {
    const value = await upload(options, context, signal);
    terminal.out(options.json ? jsonLine({ event: 'uploaded', value }) : `${plainTerminalLine(value)}\n`);
    return exitCodes.done;
  });
}

async function upload(
  { picture, mask, on, overwrite, server, keyEnv }: Arguments<'upload'>,
  context: CommandContext,
  signal: AbortSignal,
): Promise<string> {
  const { terminal } = context;
  const key = readApiKey(keyEnv, terminal);
  const original = on === undefined ? await fileAt(picture) : serverPicture(picture, on);
  const say = (sentence: string): void => terminal.err(`${plainTerminalLine(sentence)}\n`);
  const opened = await CommandServer.open(server, key, context, say);
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
    throw new MaskProblem(whyUnreadable(file, error), t`Check that the file exists.`, { cause: error });
  }
}
