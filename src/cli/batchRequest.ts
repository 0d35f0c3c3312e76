import { stat } from 'node:fs/promises';
import path from 'node:path';
import { batchEnding, progressEnding } from '../core/batch/batchEndings';
import { type BatchSetting, type BatchSpec, readBatchFile } from '../core/batch/batchFile';
import { BatchProblem } from '../core/batch/batchProblem';
import { recordedRows } from '../core/batch/batchRow';
import { readStartedBatch, batchesIn, type NamedBatch } from '../core/batch/startedBatch';
import { hashWorkflowText } from '../core/batch/planBatch';
import type { TextFile } from '../core/batch/prepareBatch';
import type { Skipped } from '../core/json/boundedJson';
import { PositionIndex } from '../core/json/position';
import { resolveRealPath } from '../core/outputs/changeFile';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { OutputError } from '../core/outputs/outputError';
import { type LocalFile, describeLocalMedia } from '../core/runs/localFile';
import { isHidden, isPathBelow, pathBelow } from '../core/safety/paths';
import { budgets } from '../core/safety/budgets';
import { listText, t } from '../core/safety/localize';
import type { Arguments } from './commandArguments';
import { ownServer } from './arguments/optionTable';
import { isTrustedAddress, readServerAddress } from './arguments/optionValues';
import { plainTerminalLine } from './terminal';
import { readJsonFile, readWorkflowText, whyUnreadable } from './workflowFile';

export interface BatchRequest {
  readonly workflow: string;
  readonly workflowText: string;
  readonly spec: BatchSpec;
  /** Addresses, or `sandbox`. */
  readonly servers: readonly string[];
  readonly batchHash?: string | undefined;
  /** The batch file or its run records name them, not the person. */
  readonly hasOwnServers: boolean;
  readonly readText: (file: string) => Promise<string>;
  /** The text files that were read because the batch file names them. */
  readonly texts: readonly TextFile[];
  readonly earlier?: LocatedBatch | undefined;
}

export interface LocatedBatch extends NamedBatch {
  readonly location: string;
}

/** `run` with values: what the person typed is read from the working folder. */
export async function requestOfRun(options: Arguments<'run'>): Promise<BatchRequest> {
  const { file, set, count, seeds, window, server } = options;
  return {
    workflow: file,
    workflowText: await readWorkflowText(file),
    spec: { set: set.map(settingOf), count: count ?? (seeds === 'new' ? 1 : undefined), window },
    servers: [server],
    hasOwnServers: false,
    readText: (each) => textFile(each),
    texts: [],
  };
}

/** `batch`: a file may name only what is below its folder. */
export async function requestOfBatch(options: Arguments<'batch'>, skipped?: Skipped): Promise<BatchRequest> {
  if (options.file.endsWith(progressEnding)) return requestOfStarted(options);
  const text = await textFile(options.file);
  const spec = readBatchFile(text);
  if (spec.kind === 'invalid') throw invalidFile(options.file, text, spec.findings);
  const folder = path.dirname(path.resolve(options.file));
  const { path: workflow } = await fileBelow(folder, spec.workflow);
  const batchHash = hashWorkflowText(text);
  const texts: TextFile[] = [];
  const earlier = options.resume ? await lastStarted(options, batchHash, skipped) : undefined;
  return {
    workflow,
    workflowText: await readWorkflowText(workflow),
    spec: { ...spec, window: options.window ?? spec.window },
    servers: await serversFor(options, spec.servers, earlier),
    batchHash,
    hasOwnServers: options.servers.length === 0 && (spec.servers ?? earlier) !== undefined,
    readText: async (file) => {
      const found = await fileBelow(folder, file);
      texts.push(await describeLocalMedia(found, { root: folder, folder, name: file }, file));
      return textFile(found.realPath);
    },
    texts,
    earlier,
  };
}

async function serversFor(
  options: Arguments<'batch'>,
  own: readonly string[] | undefined,
  earlier: NamedBatch | undefined,
): Promise<readonly string[]> {
  if (options.servers.length > 0) return [...new Set(options.servers)];
  if (own) return [...new Set(own.map((each) => serverIn(options.file, each)))];
  if (!earlier) return [ownServer];
  const rows = await recordedRows(new NodeFolder(options.out), earlier.batch);
  const addresses = new Set(
    [...rows.values()].map(({ record }) => (record.serverKind === 'sandbox' ? 'sandbox' : record.server)),
  );
  if (addresses.size === 0) return [ownServer];
  const known = [...addresses].filter((each) => each === 'sandbox' || isTrustedAddress(each));
  if (known.length > 0) return known;
  // Anyone may have written a record: nothing is asked of a server because of it.
  throw new BatchProblem(
    t`The batch ran on ${plainTerminalLine(listText([...addresses]))}.`,
    t`Specify its servers with --servers.`,
  );
}

async function requestOfStarted(options: Arguments<'batch'>): Promise<BatchRequest> {
  const folder = path.dirname(path.resolve(options.file));
  const name = path.basename(options.file);
  const batch = await readStartedBatch(new NodeFolder(folder), name).catch((error: unknown) => {
    if (!OutputError.is(error) || error.cause === undefined) throw error;
    return undefined;
  });
  if (!batch) {
    throw new BatchProblem(
      t`${plainTerminalLine(options.file)} is not a started batch.`,
      t`Specify the ${progressEnding} file in its output folder.`,
    );
  }
  const workflow = await startedWorkflow(folder, batch.workflow);
  return {
    workflow,
    workflowText: await readWorkflowText(workflow),
    hasOwnServers: options.servers.length === 0,
    texts: [],
    spec: { set: [], window: options.window },
    servers: await serversFor({ ...options, out: folder }, undefined, { name, batch }),
    readText: textFile,
    earlier: { name, batch, location: options.file },
  };
}

async function lastStarted(
  { out, file }: Arguments<'batch'>,
  batchHash: string,
  skipped?: Skipped,
): Promise<LocatedBatch> {
  const folder = new NodeFolder(out);
  for await (const { name, batch } of batchesIn(folder, skipped))
    if (batch.batchHash === batchHash) return { name, batch, location: folder.location(name) };
  throw new BatchProblem(
    t`${plainTerminalLine(out)} has no batch started from the current version of ${plainTerminalLine(file)}.`,
    t`Start it without --resume, or specify the ${progressEnding} file of the batch.`,
  );
}

function serverIn(file: string, name: string): string {
  try {
    return readServerAddress(name);
  } catch {
    throw new BatchProblem(
      t`${plainTerminalLine(file)} names the server ${JSON.stringify(name)}, which is not an http or https address.`,
      t`Enter an address, "cloud", or "sandbox".`,
    );
  }
}

async function textFile(file: string): Promise<string> {
  try {
    if ((await stat(file)).size <= budgets.batchFile) return await readJsonFile(file);
  } catch (error) {
    throw new BatchProblem(whyUnreadable(plainTerminalLine(file), error), t`Check that the file exists.`);
  }
  throw new BatchProblem(t`${plainTerminalLine(file)} is too large.`, t`Use a smaller file.`);
}

/** Symbolic links may not lead out of the folder either, and what is checked is what is read. */
async function fileBelow(folder: string, file: string): Promise<LocalFile> {
  const whole = path.join(folder, file);
  const real = await resolveRealPath(whole).catch(() => whole);
  if (!isPathBelow(file) || pathBelow(await resolveRealPath(folder), real, path) === undefined) {
    throw new BatchProblem(
      t`${plainTerminalLine(file)} is outside the folder of the batch file.`,
      t`Move it to that folder.`,
    );
  }
  const size = (await stat(real).catch(() => undefined))?.size ?? 0;
  return { path: whole, realPath: real, size };
}

/** Anyone may have written it: it leads to files below the working directory, its own folder or the one above only. */
async function startedWorkflow(folder: string, relative: string): Promise<string> {
  const file = path.resolve(folder, relative);
  const real = await resolveRealPath(file).catch(() => file);
  for (const base of [process.cwd(), folder, path.dirname(folder)]) {
    const root = await resolveRealPath(base);
    const below = pathBelow(root, real, path);
    if (below !== undefined && !isHidden(below) && /\.jsonc?$/i.test(real)) return real;
  }
  throw new BatchProblem(
    t`The batch's workflow, ${plainTerminalLine(relative)}, is outside the current folder.`,
    t`Change to the workflow's folder, then resume the batch.`,
  );
}

function invalidFile(
  file: string,
  text: string,
  findings: readonly { readonly message: string; readonly offset: number }[],
): BatchProblem {
  const index = new PositionIndex(text);
  const places = findings.slice(0, 10).map(({ message, offset }) => {
    const { line, character } = index.positionAt(offset);
    return t`Line ${line + 1}, column ${character + 1}: ${message}`;
  });
  return new BatchProblem(
    t`${plainTerminalLine(file)} is not a batch file. ${places.join(' ')}`,
    t`See docs/batch.md for the format of ${batchEnding} files.`,
  );
}

/** The first equals sign outside of a quoted title ends the input. @throws BatchProblem if there is none */
function settingOf(text: string): BatchSetting {
  const title = /^\s*"(?:[^"\\]|\\.)*"/.exec(text)?.[0] ?? '';
  const at = text.indexOf('=', title.length);
  if (at < 0) {
    throw new BatchProblem(
      t`--set must be INPUT=VALUES, not ${JSON.stringify(text)}.`,
      t`For example, 3.seed=1 or KSampler.cfg=6,7,8.`,
      text,
    );
  }
  return { selector: text.slice(0, at).trim(), source: { kind: 'written', text: text.slice(at + 1).trim() } };
}
