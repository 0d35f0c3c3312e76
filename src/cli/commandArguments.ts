import { progressEnding } from '../core/batch/batchEndings';
import { t } from '../core/safety/localize';
import { commandOptions, readCommandOptions } from './arguments/optionTable';
import { readMusicServer } from './arguments/optionValues';
import { UsageError } from './arguments/usageError';

/** The only operand. @param missing says what to specify; @param several that one is enough */
function only(
  [operand, ...more]: readonly string[],
  missing: string,
  several = t`Specify only one workflow file.`,
): string {
  // A variable of the shell that isn't set gives an empty operand.
  if (operand === undefined || operand.trim() === '') throw new UsageError(missing);
  if (more.length > 0) throw new UsageError(several);
  return operand;
}

function refuse(isWrong: boolean, words: string): void {
  if (isWrong) throw new UsageError(words);
}

function requireServer({ keyEnv, server }: Record<'keyEnv' | 'server', string | undefined>): void {
  const isUnnamed = keyEnv !== undefined && server === undefined;
  refuse(isUnnamed, t`--key-env requires --server. A key is sent only to a server that you specify.`);
}

function requireDefinitions(values: Record<'definitions' | 'server', string | undefined>): void {
  const isMissing = values.definitions === undefined && values.server === undefined;
  refuse(isMissing, t`Specify the node definitions with --definitions or --server.`);
}

function readRun(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.run);
  const file = only(operands, t`Specify the workflow file to run.`);
  const isBatch = values.set.length > 0 || values.count !== undefined;
  for (const option of ['sheet', 'window'] as const) {
    const isIdle = values[option] !== undefined && !isBatch;
    refuse(isIdle, t`${`--${option}`} works only with a batch. Add --set or --count.`);
  }
  refuse(values.next && isBatch, t`--next works only for a single run, without --set or --count.`);
  const { seed, ...others } = values;
  return { command: 'run', file, ...others, seeds: seed ?? 'keep' } as const;
}

function readRerun(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.rerun);
  const { seed, lost, ...others } = values;
  if (lost && (values.server === undefined || values.server === 'sandbox'))
    throw new UsageError(t`--lost requires --server. Runs are sent again only to a server that you specify.`);
  if (lost && operands.length > 0) throw new UsageError(t`Specify a run record or --lost, not both.`);
  const file = lost ? '' : only(operands, t`Specify the run record.`, t`Specify only one file.`);
  requireServer(values);
  const lostOn = lost ? values.server : undefined;
  return { command: 'rerun', file, ...others, lostOn, seeds: seed ?? 'keep' } as const;
}

/** For a command of one file without rules of its own. */
function readFile<C extends 'show' | 'extract'>(command: C, args: string[], missing: string) {
  const { values, operands } = readCommandOptions(args, commandOptions[command]);
  return { command, file: only(operands, missing, t`Specify only one file.`), ...values } as const;
}

function readBatch(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.batch);
  const file = only(operands, t`Specify the batch file.`, t`Specify only one batch file.`);
  if (values.retryFailed && !values.resume && !file.endsWith(progressEnding))
    throw new UsageError(t`--retry-failed requires --resume.`);
  return { command: 'batch', file, ...values, servers: values.servers ?? [] } as const;
}

function readValidate(args: string[]) {
  const { values, operands: files } = readCommandOptions(args, commandOptions.validate);
  if (files.length === 0) throw new UsageError(t`Specify the workflow files to check.`);
  requireDefinitions(values);
  return { command: 'validate', files, ...values } as const;
}

function readConvert(args: string[]) {
  const { values, operands: files } = readCommandOptions(args, commandOptions.convert);
  requireDefinitions(values);
  if (files.length === 0) throw new UsageError(t`Specify the workflow files to convert.`);
  if (files.length > 1 && !values.json)
    throw new UsageError(t`Specify only one workflow file, or add --json.`);
  return { command: 'convert', files, ...values } as const;
}

/**
 * Git calls a driver with the path, then file, hash and mode of each side, then the new path of a rename; with only the
 * path after a merge conflict, when there is nothing to compare.
 */
function readDiff(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.diff);
  requireServer(values);
  const [path, ...others] = operands;
  const isUnmerged =
    path !== undefined && others.length === 0 && process.env['GIT_DIFF_PATH_COUNTER'] !== undefined;
  const isGit = isUnmerged || operands.length >= 7;
  const gitSides = isUnmerged ? [path, path] : [operands[1], operands[4]];
  const [before, after, ...more] = isGit ? gitSides : operands;
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError(t`Specify the two workflow files to compare.`);
  const renamed = operands[7];
  const gitName = renamed === undefined ? path : `${path} → ${renamed}`;
  const name = isGit ? gitName : undefined;
  return { command: 'diff', before, after, isGit, isUnmerged, name, ...values } as const;
}

function readPrint(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.print);
  requireServer(values);
  const file = only(operands, t`Specify the workflow file to print.`);
  return { command: 'print', file, ...values } as const;
}

function readGraph(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.graph);
  requireServer(values);
  const file = only(operands, t`Specify the workflow file to draw.`);
  if (values.json && values.out !== undefined) throw new UsageError(t`--out works only without --json.`);
  return { command: 'graph', file, ...values } as const;
}

function readTest(args: string[]) {
  const { values, operands: files } = readCommandOptions(args, commandOptions.test);
  if (files.length === 0) throw new UsageError(t`Specify the workflow files to test.`);
  return { command: 'test', files, ...values } as const;
}

function readMusic(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.music);
  const prompt = only(operands, t`Specify a prompt.`, t`Put the prompt in quotes.`);
  const server = values.server ?? readMusicServer(values.keyEnv === undefined ? 'sandbox' : 'comfy');
  return { command: 'music', prompt, ...values, server } as const;
}

function readReview(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.review);
  const id = only(operands, t`Specify the ID of the node pack.`, t`Specify only one node pack.`);
  const stars = ([1, 2, 3, 4, 5] as const).find((each) => String(each) === values.stars);
  if (stars === undefined) throw new UsageError(t`--stars takes a whole number from 1 to 5.`);
  return { command: 'review', id, ...values, stars } as const;
}

function readSandbox(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.sandbox);
  if (operands[0] !== undefined) throw new UsageError(t`Unexpected argument ${operands[0]}.`);
  const { dialect, keyEnv, manager } = values;
  const isLocal = dialect === 'local' || dialect === 'local-old';
  refuse(isLocal && keyEnv !== undefined, t`--key-env works only with --dialect cloud or documented.`);
  refuse(!isLocal && manager !== undefined, t`--manager works only with --dialect local or local-old.`);
  return { command: 'sandbox', ...values } as const;
}

function readSentJob<C extends 'jobs' | 'fetch' | 'wait' | 'cancel' | 'forget'>(command: C, args: string[]) {
  const { cancel, fetch, jobs } = commandOptions;
  const { values, operands } = readCommandOptions(args, { ...cancel, ...fetch, lost: jobs.lost });
  requireServer(values);
  const isSandbox = values.server === 'sandbox';
  refuse(isSandbox, t`A sandbox started for a run stops with it, so it has no jobs to look up.`);
  refuse(values.lost && command !== 'jobs', t`--lost works only with jobs and rerun.`);
  refuse(values.yes && command !== 'cancel', t`--yes works only with cancel.`);
  const isSaving = command === 'fetch' || command === 'wait';
  refuse(values.saveTemporary && !isSaving, t`--save-temporary works only with run, fetch, and wait.`);
  refuse(values.traceback && !isSaving, t`--traceback belongs to run, rerun, fetch and wait.`);
  const isList = command === 'jobs';
  refuse(isList && operands.length > 0, t`jobs takes no arguments, only options.`);
  const missing = t`Specify the job, or its run record.`;
  const job = isList ? '' : only(operands, missing, t`Specify only one job.`);
  return { command, job, ...values } as const;
}

function readUpload(args: string[]) {
  const { values, operands } = readCommandOptions(args, commandOptions.upload);
  const several = t`Specify only one image; pass a mask with --mask.`;
  const picture = only(operands, t`Specify the image to upload.`, several);
  const isPassing = values.server === 'sandbox';
  refuse(
    isPassing,
    t`"sandbox" would stop as soon as the upload ends. Specify the address of a running sandbox.`,
  );
  refuse(values.on !== undefined && values.mask === undefined, t`--on requires --mask.`);
  return { command: 'upload', picture, ...values } as const;
}

function readGitSetup(args: string[]) {
  const { operands } = readCommandOptions(args, {});
  const pattern = only(operands, t`Specify which files are workflows.`, t`Put the pattern in quotes.`);
  return { command: 'git-setup', pattern } as const;
}

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

function readCompletion(args: string[]) {
  const { operands } = readCommandOptions(args, {});
  const shell = shells.find((each) => each === operands[0]);
  if (shell === undefined || operands.length > 1)
    throw new UsageError(t`completion supports bash, zsh, fish, and powershell.`);
  return { command: 'completion', shell } as const;
}

export const readArguments = {
  run: readRun,
  batch: readBatch,
  rerun: readRerun,
  show: (args: string[]) => readFile('show', args, t`Specify the run record, or an output.`),
  jobs: (args: string[]) => readSentJob('jobs', args),
  fetch: (args: string[]) => readSentJob('fetch', args),
  wait: (args: string[]) => readSentJob('wait', args),
  cancel: (args: string[]) => readSentJob('cancel', args),
  forget: (args: string[]) => readSentJob('forget', args),
  upload: readUpload,
  validate: readValidate,
  test: readTest,
  music: readMusic,
  review: readReview,
  sandbox: readSandbox,
  convert: readConvert,
  extract: (args: string[]) => readFile('extract', args, t`Specify the file that contains the workflow.`),
  diff: readDiff,
  print: readPrint,
  graph: readGraph,
  'git-setup': readGitSetup,
  completion: readCompletion,
};

export type CommandName = keyof typeof readArguments;

/** The meaning of a command's arguments; the option table says what each option does. */
export type Arguments<C extends CommandName> = ReturnType<(typeof readArguments)[C]>;
