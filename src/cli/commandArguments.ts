import type { RunChoices } from '../core/runs/runChoices';
import type { Dialect } from '../sandbox/dialect';
import type { CommandName } from './commandNames';
import type { Shell } from './shellCompletion';
import type { ManagerKind } from '../sandbox/manager/sandboxManager';
import type { PracticeFault } from './practiceFaults';
import type { ReviewArguments } from './arguments/reviewArguments';
import type { UploadArguments } from './arguments/uploadArguments';

/** What `run` and `batch` do with several rows. */
interface RowOptions {
  /** Jobs per server at a time. */
  readonly window?: number | undefined;
  /** Print the rows and send nothing. */
  readonly dryRun: boolean;
  /** Where to write the contact sheet. */
  readonly sheet?: string | undefined;
}

/** How a server is reached, and what is printed. */
interface ServerOptions {
  /** Name of the environment variable with the API key or the token; a secret itself is never an argument. */
  readonly keyEnv?: string | undefined;
  readonly json: boolean;
}

/** What whoever sends prompts may do. */
interface SendingOptions extends ServerOptions {
  /** Undefined: only to servers on this machine, and only files that clearly belong to the workflow. */
  readonly upload?: boolean | undefined;
  readonly spend: boolean;
  /** Also temporary outputs, as of preview nodes. */
  readonly saveTemporary: boolean;
}

/** What a single run takes, of a file or of a record. */
export interface OneRunArguments extends RunChoices, SendingOptions {
  readonly file: string;
  /** An address, or `sandbox`. */
  readonly server: string;
  readonly out: string;
  /** Exit code 1 if the server left nodes out. */
  readonly strict: boolean;
  /** Print the server's traceback when the job fails. */
  readonly traceback: boolean;
}

export interface RunArguments extends OneRunArguments, RowOptions {
  readonly command: 'run';
  /** `INPUT=VALUES` each. */
  readonly set: readonly string[];
  /** How many times with new seeds. */
  readonly count?: number | undefined;
}

export interface ShowArguments {
  readonly command: 'show';
  /** A run record, or an output. */
  readonly file: string;
  /** Another folder with run records, in which a moved output is looked for. */
  readonly out: string;
  readonly json: boolean;
}

export interface RerunArguments extends Omit<OneRunArguments, 'server'> {
  readonly command: 'rerun';
  /** All runs in `out` that this server has forgotten, instead of one record. */
  readonly lostOn?: string | undefined;
  /** Undefined: the one in the record. */
  readonly server?: string | undefined;
}

export interface BatchArguments extends Omit<RunChoices, 'seeds' | 'targets'>, RowOptions, SendingOptions {
  readonly command: 'batch';
  /** A batch file, or a started batch. */
  readonly file: string;
  /** Addresses, or `sandbox`; none: those in the file. */
  readonly servers: readonly string[];
  readonly out: string;
  readonly resume: boolean;
  readonly retryFailed: boolean;
}

export interface TestArguments extends SendingOptions {
  readonly command: 'test';
  readonly files: readonly string[];
  /** An address, or `sandbox`. */
  readonly server: string;
  /** The folder of the folders with kept outputs; undefined: that of each workflow. */
  readonly expected?: string | undefined;
  /** Keep what is new or different, and remove what is no longer made. */
  readonly update: boolean;
  /** The largest distance of two pictures that passes, 0 to 100; undefined: their pixels must be equal. */
  readonly threshold?: number | undefined;
  /** Where to write JUnit XML. */
  readonly junit?: string | undefined;
  /** The folder for what differs. */
  readonly diff: string;
  readonly force: boolean;
}

export interface MusicArguments extends ServerOptions {
  readonly command: 'music';
  readonly prompt: string;
  /** Seconds; NaN for anything but a number, which is then refused like other invalid values. */
  readonly duration: number;
  /** An address, or `sandbox`. */
  readonly server: string;
  readonly out: string;
  /** Also saves what a broken stream had delivered. */
  readonly keepPartial: boolean;
}

export interface SandboxArguments {
  readonly command: 'sandbox';
  readonly port: number;
  readonly dialect: Dialect;
  /** Name of the environment variable with the key that clients must send; cloud only. */
  readonly keyEnv?: string | undefined;
  /** Which ComfyUI-Manager it has; local only. */
  readonly manager?: ManagerKind | undefined;
  /** How requests are refused from the start; cloud only. */
  readonly fault?: PracticeFault | undefined;
}

export interface ValidateArguments {
  readonly command: 'validate';
  readonly files: readonly string[];
  /** A file with the answer of GET /object_info; undefined: ask the server. */
  readonly definitions?: string | undefined;
  readonly validators?: string | undefined;
  readonly replacements?: string | undefined;
  readonly server?: string | undefined;
  readonly keyEnv?: string | undefined;
  readonly format: 'text' | 'json' | 'github';
}

export interface ConvertArguments extends ServerOptions {
  readonly command: 'convert';
  readonly files: readonly string[];
  /** A file with the answer of GET /object_info; undefined: ask the server. */
  readonly definitions?: string | undefined;
  readonly server?: string | undefined;
  readonly dynamicPrompts: 'keep' | 'first' | 'random';
  /** Prompts that lack part of their graph do not fail. */
  readonly allowLoss: boolean;
}

/** The shared arguments of the commands for jobs sent earlier. */
interface SentJobOptions extends ServerOptions {
  /** The folder with the run records. */
  readonly out: string;
  /** An address; undefined: the one in the run record. */
  readonly server?: string | undefined;
}

export interface JobsArguments extends SentJobOptions {
  readonly command: 'jobs';
  /** Runs that their server has forgotten, instead of those with missing outputs. */
  readonly lost: boolean;
}

export interface SentJobArguments extends SentJobOptions {
  readonly command: 'fetch' | 'wait' | 'cancel';
  /** A job's id, or a run record. */
  readonly job: string;
  /** Also cancels a job that is in no run record here. */
  readonly yes: boolean;
  /** Also temporary outputs, as of preview nodes. */
  readonly saveTemporary: boolean;
  readonly traceback: boolean;
}

export type CommandLine =
  | RunArguments
  | RerunArguments
  | ShowArguments
  | BatchArguments
  | TestArguments
  | JobsArguments
  | SentJobArguments
  | ValidateArguments
  | MusicArguments
  | SandboxArguments
  | ConvertArguments
  | UploadArguments
  | ReviewArguments
  | { readonly command: 'completion'; readonly shell: Shell }
  | { readonly command: 'help'; readonly of?: CommandName | undefined }
  | { readonly command: 'version' }
  | { readonly command: 'wrong'; readonly problem: string; readonly of?: CommandName | undefined };
