import { parseArgs } from 'node:util';
import type {
  CommandLine,
  ConvertArguments,
  JobsArguments,
  MusicArguments,
  RunArguments,
  SandboxArguments,
  SentJobArguments,
  ValidateArguments,
} from './commandArguments';
import { commandTable, isCommandName, shells } from './commandTable';
import {
  cancelOptions,
  convertOptions,
  fetchOptions,
  musicOptions,
  runOptions,
  sandboxOptions,
  validateOptions,
} from './optionTable';
import { keyEnvOf, musicServerOf, secondsOf, serverOf, yesOrNo } from './optionValues';
import { parseProblem } from './parseProblem';
import { isPracticeFault, practiceFaults } from './practiceFaults';
import { isSandboxManager, sandboxManagers } from './sandboxManagers';
import { readUpload } from './uploadArguments';
import { UsageError } from './usageError';
import { t } from '../core/safety/localize';

/** Parses the arguments of the command line, or says in one sentence what is wrong with them. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    return read(args);
  } catch (error) {
    const problem = error instanceof UsageError ? error.message : parseProblem(error);
    if (problem === undefined) throw error;
    const [command] = args;
    return { command: 'wrong', problem, of: isCommandName(command) ? command : undefined };
  }
}

const noDefinitions = t`Specify the node definitions with --definitions or --server.`;

function read(args: readonly string[]): CommandLine {
  const [command, ...rest] = args;
  if (command === 'help') return helpWith(rest[0]);
  if (asksForHelp(args))
    return isCommandName(command) ? { command: 'help', of: command } : { command: 'help' };
  if (command === '--version' || command === '-v') return { command: 'version' };
  switch (command) {
    case 'run':
      return readRun(rest);
    case 'validate':
      return readValidate(rest);
    case 'music':
      return readMusic(rest);
    case 'sandbox':
      return readSandbox(rest);
    case 'convert':
      return readConvert(rest);
    case 'upload': {
      const { server, keyEnv, ...upload } = readUpload(rest);
      const key = keyEnvOf(keyEnv);
      return { ...upload, server: serverOf(server), keyEnv: key };
    }
    case 'jobs':
    case 'fetch':
    case 'wait':
    case 'cancel':
      return readSentJob(command, rest);
    case 'completion':
      return readCompletion(rest);
    case undefined:
      throw new UsageError(t`Specify a command: ${Object.keys(commandTable).join(', ')}.`);
    default:
      throw new UsageError(t`Unknown command ${JSON.stringify(command)}.`);
  }
}

function helpWith(command: string | undefined): CommandLine {
  if (command === undefined) return { command: 'help' };
  if (!isCommandName(command)) throw new UsageError(t`Unknown command ${JSON.stringify(command)}.`);
  return { command: 'help', of: command };
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((each) => each === '--help' || each === '-h');
}

function readCompletion(args: string[]): CommandLine {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const shell = shells.find((each) => each === positionals[0]);
  if (shell === undefined || positionals.length > 1)
    throw new UsageError(t`completion takes bash, zsh or fish.`);
  return { command: 'completion', shell };
}

function readRun(args: string[]): RunArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: runOptions,
  });
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError(t`Specify the workflow file to run.`);
  if (more.length > 0) throw new UsageError(t`Specify only one workflow file.`);
  if (values.seed !== undefined && values.seed !== 'random')
    throw new UsageError(t`--seed takes only "random".`);
  const upload = yesOrNo('--upload', values.upload);
  const keyEnv = keyEnvOf(values['key-env']);
  return {
    command: 'run',
    file,
    server: serverOf(values.server),
    keyEnv,
    out: values.out,
    json: values.json,
    seeds: values.seed === 'random' ? 'new' : 'keep',
    upload,
    spend: yesOrNo('--spend', values.spend) ?? false,
    force: values.force,
    strict: values.strict,
    saveTemporary: values['save-temporary'],
    lookOut:
      values['look-out'] === undefined ? undefined : 1000 * secondsOf('--look-out', values['look-out']),
  };
}

function readSentJob(
  command: 'jobs' | SentJobArguments['command'],
  args: string[],
): JobsArguments | SentJobArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...cancelOptions, ...fetchOptions },
  });
  const [job, ...more] = positionals;
  const keyEnv = keyEnvOf(values['key-env']);
  if (keyEnv !== undefined && values.server === undefined) {
    throw new UsageError(t`--key-env needs --server: a key is only sent to a server that you specify.`);
  }
  if (values.server === 'sandbox') throw new UsageError(t`The sandbox of a run stops when the run ends.`);
  const shared = {
    out: values.out,
    server: values.server === undefined ? undefined : serverOf(values.server),
    keyEnv,
    json: values.json,
  };
  if (values.yes && command !== 'cancel') throw new UsageError(t`--yes belongs to cancel.`);
  const saveTemporary = values['save-temporary'];
  if (saveTemporary && command !== 'fetch' && command !== 'wait')
    throw new UsageError(t`--save-temporary belongs to run, fetch and wait.`);
  if (command === 'jobs') {
    if (job !== undefined) throw new UsageError(t`jobs takes options only.`);
    return { command, ...shared };
  }
  if (job === undefined) throw new UsageError(t`Specify the job, or its run record.`);
  if (more.length > 0) throw new UsageError(t`Specify only one job.`);
  return { command, job, yes: values.yes, saveTemporary, ...shared };
}

function readMusic(args: string[]): MusicArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: musicOptions,
  });
  const [prompt, ...more] = positionals;
  if (prompt === undefined) throw new UsageError(t`Describe the music.`);
  if (more.length > 0) throw new UsageError(t`Quote the description so that it is one argument.`);
  if (!/^\d+$/.test(values.duration))
    throw new UsageError(t`--duration takes a whole number of seconds from 1 to 360.`);
  const keyEnv = keyEnvOf(values['key-env']);
  return {
    command: 'music',
    prompt,
    duration: Number(values.duration),
    server: musicServerOf(values.server ?? (keyEnv === undefined ? 'sandbox' : 'comfy')),
    keyEnv,
    out: values.out,
    json: values.json,
    keepPartial: values['keep-partial'],
  };
}

function readValidate(args: string[]): ValidateArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: validateOptions,
  });
  const { definitions, validators, replacements, server, format } = values;
  if (positionals.length === 0) throw new UsageError(t`Specify the workflow files to check.`);
  if (definitions === undefined && server === undefined) throw new UsageError(noDefinitions);
  if (format !== 'text' && format !== 'json' && format !== 'github') {
    throw new UsageError(t`--format takes text, json or github.`);
  }
  const keyEnv = keyEnvOf(values['key-env']);
  return {
    command: 'validate',
    files: positionals,
    definitions,
    validators,
    replacements,
    server: server === undefined ? undefined : serverOf(server),
    keyEnv,
    format,
  };
}

function readSandbox(args: string[]): SandboxArguments {
  const { values } = parseArgs({ args, options: sandboxOptions });
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new UsageError(t`--port takes a number from 0 to 65535.`);
  const { dialect, fault, manager, 'key-env': keyEnv } = values;
  if (dialect !== 'cloud' && dialect !== 'documented' && dialect !== 'local' && dialect !== 'local-old') {
    throw new UsageError(t`--dialect takes cloud, documented, local or local-old.`);
  }
  if (dialect !== 'cloud' && dialect !== 'documented' && (keyEnv !== undefined || fault !== undefined))
    throw new UsageError(t`--key-env and --fault belong to --dialect cloud and documented.`);
  if (manager !== undefined && dialect !== 'local' && dialect !== 'local-old')
    throw new UsageError(t`--manager belongs to --dialect local and local-old.`);
  if (manager !== undefined && !isSandboxManager(manager))
    throw new UsageError(`--manager takes ${sandboxManagers.join(', ')}.`);
  if (keyEnv === '') throw new UsageError(t`--key-env takes the name of an environment variable.`);
  if (fault !== undefined && !isPracticeFault(fault))
    throw new UsageError(`--fault takes ${Object.keys(practiceFaults).join(', ')}.`);
  return {
    command: 'sandbox',
    port,
    dialect,
    keyEnv,
    fault,
    manager,
  };
}

function readConvert(args: string[]): ConvertArguments {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: convertOptions,
  });
  const { definitions, server, json, 'dynamic-prompts': dynamicPrompts, 'allow-loss': allowLoss } = values;
  if (definitions === undefined && server === undefined) throw new UsageError(noDefinitions);
  if (dynamicPrompts !== 'keep' && dynamicPrompts !== 'first' && dynamicPrompts !== 'random') {
    throw new UsageError(t`--dynamic-prompts takes keep, first or random.`);
  }
  if (files.length === 0) throw new UsageError(t`Specify the workflow files to convert.`);
  if (files.length > 1 && !json) throw new UsageError(t`Specify only one workflow file, or add --json.`);
  const keyEnv = keyEnvOf(values['key-env']);
  return {
    command: 'convert',
    files,
    definitions,
    server: server === undefined ? undefined : serverOf(server),
    keyEnv,
    dynamicPrompts,
    allowLoss,
    json,
  };
}
