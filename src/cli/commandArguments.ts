import type { RunChoices } from '../core/runs/runChoices';
import type { Dialect } from '../sandbox/dialect';
import type { CommandName } from './commandTable';
import type { Shell } from './shellCompletion';
import type { ManagerKind } from '../sandbox/manager/sandboxManager';
import type { PracticeFault } from './practiceFaults';
import type { UploadArguments } from './uploadArguments';

export interface RunArguments extends RunChoices {
  readonly command: 'run';
  readonly file: string;
  /** An address, or `sandbox`. */
  readonly server: string;
  /** Name of the environment variable that holds the API key; the key itself never stands in the arguments. */
  readonly keyEnv?: string | undefined;
  readonly out: string;
  readonly json: boolean;
  /** Undefined: only to servers on this machine, and only what plainly belongs to the workflow. */
  readonly upload?: boolean | undefined;
  readonly spend: boolean;
  /** Exit code 1 when the server left nodes out. */
  readonly strict: boolean;
  /** Temporary outputs too, as of preview nodes. */
  readonly saveTemporary: boolean;
}

export interface MusicArguments {
  readonly command: 'music';
  readonly prompt: string;
  /** Seconds; NaN for what is no number, which the contract refuses like others. */
  readonly duration: number;
  /** An address, or `sandbox`. */
  readonly server: string;
  /** Name of the environment variable that holds the API key or the token. */
  readonly keyEnv?: string | undefined;
  readonly out: string;
  readonly json: boolean;
  /** What had come of a stream that broke off is saved too. */
  readonly keepPartial: boolean;
}

export interface SandboxArguments {
  readonly command: 'sandbox';
  readonly port: number;
  readonly dialect: Dialect;
  /** Name of the environment variable that holds the key that is demanded; cloud only. */
  readonly keyEnv?: string | undefined;
  /** Which ComfyUI-Manager it has; local only. */
  readonly manager?: ManagerKind | undefined;
  /** How requests are refused from the start; cloud only. */
  readonly fault?: PracticeFault | undefined;
}

export interface ValidateArguments {
  readonly command: 'validate';
  readonly files: readonly string[];
  /** A file with the answer of GET /object_info; undefined: asked of the server. */
  readonly definitions?: string | undefined;
  readonly validators?: string | undefined;
  readonly replacements?: string | undefined;
  readonly server?: string | undefined;
  readonly keyEnv?: string | undefined;
  readonly format: 'text' | 'json' | 'github';
}

export interface ConvertArguments {
  readonly command: 'convert';
  readonly files: readonly string[];
  /** A file with the answer of GET /object_info; undefined: asked of the server. */
  readonly definitions?: string | undefined;
  readonly server?: string | undefined;
  readonly keyEnv?: string | undefined;
  readonly dynamicPrompts: 'keep' | 'first' | 'random';
  /** Prompts that lack something of their graph are no failure. */
  readonly allowLoss: boolean;
  readonly json: boolean;
}

/** What the commands for jobs that were sent before have in common. */
interface SentJobOptions {
  /** The folder with the run records. */
  readonly out: string;
  /** An address; undefined: the one that the run record names. */
  readonly server?: string | undefined;
  readonly keyEnv?: string | undefined;
  readonly json: boolean;
}

export interface JobsArguments extends SentJobOptions {
  readonly command: 'jobs';
}

export interface SentJobArguments extends SentJobOptions {
  readonly command: 'fetch' | 'wait' | 'cancel';
  /** The id of a job, or a run record. */
  readonly job: string;
  /** Cancel a job that no run record here knows. */
  readonly yes: boolean;
  /** Temporary outputs too, as of preview nodes. */
  readonly saveTemporary: boolean;
}

export type CommandLine =
  | RunArguments
  | JobsArguments
  | SentJobArguments
  | ValidateArguments
  | MusicArguments
  | SandboxArguments
  | ConvertArguments
  | UploadArguments
  | { readonly command: 'completion'; readonly shell: Shell }
  | { readonly command: 'help'; readonly of?: CommandName | undefined }
  | { readonly command: 'version' }
  | { readonly command: 'wrong'; readonly problem: string; readonly of?: CommandName | undefined };
