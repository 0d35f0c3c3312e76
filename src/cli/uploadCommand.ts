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
  const { picture, mask, on, overwrite, server, keyEnv } = options;
  return runUntilInterrupted(terminal, async (signal) => {
    const key = readApiKey(keyEnv, terminal);
    const original = on === undefined ? await fileAt(picture) : serverPicture(picture, on);
    const upload = async ({ session: { client } }: CommandServer): Promise<string> => {
      if (mask !== undefined)
        return uploadMaskFor(client, { picture: original, mask: await fileAt(mask), overwrite }, signal);
      if (!('bytes' in original))
        throw new MaskProblem(t`The server already has that image.`, t`Add a mask.`);
      return uploadPicture(client, original, overwrite, signal);
    };
    const say = (sentence: string): void => terminal.err(`${plainTerminalLine(sentence)}\n`);
    const value = await CommandServer.use(server, key, context, upload, say);
    terminal.out(options.json ? jsonLine({ event: 'uploaded', value }) : `${plainTerminalLine(value)}\n`);
    return exitCodes.done;
  });
}

async function fileAt(file: string): Promise<PictureFile> {
  const bytes = await readWholeFile(file).catch((error: unknown) => {
    throw new MaskProblem(whyUnreadable(file, error), t`Check that the file exists.`, { cause: error });
  });
  return { name: path.basename(file), bytes };
}
