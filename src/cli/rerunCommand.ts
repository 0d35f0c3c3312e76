import { stat } from 'node:fs/promises';
import path from 'node:path';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { recordNamed } from '../core/records/recordFile';
import type { RunRecord } from '../core/records/runRecord';
import { lostRuns } from '../core/records/lostRuns';
import { normaliseBase } from '../core/client/address';
import { hashWorkflowText } from '../core/batch/planBatch';
import { leadsOutside } from '../core/safety/paths';
import { recordedMedia } from '../core/runs/recordedMedia';
import { hiddenText } from '../core/safety/secrets';
import { t } from '../core/safety/localize';
import { CommandProblem, readApiKey } from './commandProblem';
import type { Arguments } from './commandArguments';
import { mediaBeside, readWorkflowText, type WorkflowToRun } from './workflowFile';
import { runText } from './runCommand';
import { CommandServer } from './commandServer';
import { findForgotten } from './forgottenRuns';
import { type CommandContext, exitCodes, plainTerminalLine } from './terminal';

export async function rerunCommand(options: Arguments<'rerun'>, context: CommandContext): Promise<number> {
  const { file, lostOn } = options;
  if (lostOn !== undefined) return rerunLostRuns(options, lostOn, context);
  const folder = new NodeFolder(path.dirname(file));
  let unread: Error | undefined;
  const named = await recordNamed(folder, path.basename(file), (error) => (unread = error));
  const record = named?.record;
  const recordedServer = record?.serverKind === 'sandbox' ? 'sandbox' : record?.server;
  const run = {
    ...options,
    command: 'run' as const,
    server: options.server ?? recordedServer ?? '',
    targets: record?.targets,
  };
  const read = async (): Promise<WorkflowToRun> => {
    if (unread) throw unread;
    return workflowToRerun(run, record);
  };
  return runText(run, read, context);
}

/** Runs again what a server has forgotten. The server is asked before each run; what it still has isn't sent. */
async function rerunLostRuns(
  options: Arguments<'rerun'>,
  server: string,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  const folder = new NodeFolder(options.out);
  let exit: number = exitCodes.done;
  let sent = 0;
  const say = (words: string): unknown => terminal.err(`${plainTerminalLine(words)}\n`);
  const key = readApiKey(options.keyEnv, terminal);
  await findForgotten(options.out, server, key, context);
  const lost = await lostRuns(folder, normaliseBase(server), ({ message }) => say(message));
  await CommandServer.use(server, key, context, async ({ session }) => {
    for (const { name, record } of lost) {
      if (record.job !== undefined && (await session.tracker.details(record.job))) {
        say(t`${record.label} wasn't run again, because the server has it.`);
        continue;
      }
      sent++;
      const exitOfRun = await rerunCommand(
        { ...options, file: folder.location(name), lostOn: undefined },
        context,
      );
      if (exitOfRun !== exitCodes.done) exit = exitOfRun;
      if ([exitCodes.cancelled, exitCodes.hangup, exitCodes.notEnded].some((each) => each === exitOfRun))
        break;
    }
  });
  if (sent === 0) say(t`There is nothing to run again in ${options.out}.`);
  return exit;
}

async function workflowToRerun(
  { file, server }: Pick<Arguments<'run'>, 'file' | 'server'>,
  record: RunRecord | undefined,
): Promise<WorkflowToRun> {
  const [name, runFile] = [plainTerminalLine(file), t`Run its workflow file instead, with comfy-deck run.`];
  if (!record) {
    const next = t`Specify a file that ends in .run.json. To run a workflow file, use comfy-deck run.`;
    throw new CommandProblem(t`${name} is not a run record.`, next);
  }
  const { promptText: text, label, workflowText, music } = record;
  if (music) {
    const next = t`To make music from its prompt again, use comfy-deck music.`;
    throw new CommandProblem(t`${name} is the record of music.`, next);
  }
  if (text === undefined) {
    const message = t`The record doesn't contain the workflow, because the job was submitted elsewhere.`;
    throw new CommandProblem(message, runFile);
  }
  const source = await sourceOf(file, record);
  // The address may be anything, because someone else may have written the record.
  if (server !== 'sandbox' && !(URL.canParse(server) && /^https?:/i.test(server)))
    throw new CommandProblem(t`The run record doesn't name a usable server.`, t`Specify one with --server.`);
  if (text.includes(hiddenText)) {
    const message = t`The workflow of ${plainTerminalLine(label)} contained a key, which is hidden in its run record.`;
    throw new CommandProblem(message, runFile);
  }
  return { text, label, file: source, workflowText, localMedia: mediaOf(file, source, record.inputs) };
}

/**
 * Local files are looked for from the workflow file. Anyone may have written the record, so a file above its folder
 * counts only if it is what was run.
 */
async function sourceOf(file: string, { sourceUri, sourceHash }: RunRecord): Promise<string> {
  if (sourceUri === undefined || leadsOutside(sourceUri) || !/\.jsonc?$/i.test(sourceUri)) return file;
  const folder = path.dirname(path.resolve(file));
  for (const base of [process.cwd(), folder]) {
    const place = path.join(base, sourceUri);
    if ((await stat(place).catch(() => undefined))?.isFile()) return place;
  }
  const above = path.join(path.dirname(folder), sourceUri);
  const text = await readWorkflowText(above).catch(() => undefined);
  return text !== undefined && hashWorkflowText(text) === sourceHash ? above : file;
}

/** Finds the inputs of that run: their copies next to the record, or the files that are there now. */
function mediaOf(
  record: string,
  source: string,
  inputs: RunRecord['inputs'] = [],
): WorkflowToRun['localMedia'] {
  return (say) => async (name) => {
    const look = recordedMedia({
      inputs,
      folder: path.dirname(record),
      find: (each) => mediaBeside(source, each),
      changed: (each) =>
        say(
          t`${plainTerminalLine(each)} has changed since that run, and no copy was kept. The run uses the file as it is now.`,
        ),
    });
    const found = await look(name);
    const input = inputs.find((each) => each.name === name);
    if (!found && input) {
      say(
        t`${plainTerminalLine(input.path)} is missing, and no copy was kept. The run uses the file of this name on the server.`,
      );
    }
    return found;
  };
}
