import type { PreparedPartnerNode, PreparedRun } from './preparedRun';
import type { RunProblem, RunRefusal } from './runRefusal';
import type { ServerSession } from './serverSession';

export interface RunRequest {
  readonly text: string;
  /** Name to show: the file's name. */
  readonly label: string;
  readonly sourceUri?: string | undefined;
  readonly seeds: 'keep' | 'new';
  /** Output nodes that alone are to run. */
  readonly targets?: readonly string[] | undefined;
  /** Send although the check expects a refusal. */
  readonly force?: boolean | undefined;
  readonly session: ServerSession;
  /** Canonical lowercase UUID; made when missing. Sent to local servers only (protocol 1.5). */
  readonly promptId?: string | undefined;
}

/** A file that the workflow names and that lies in the workspace. */
export interface LocalMedia {
  bytes(): Promise<Uint8Array>;
  /** SHA-256 (hex) of the bytes: what was uploaded once to a server is not uploaded again. */
  readonly hash: string;
  readonly size: number;
  /** Where it lies, for the question whether it may be uploaded. */
  readonly description: string;
}

export interface UploadQuestion {
  /** The name in the workflow. */
  readonly name: string;
  readonly description: string;
  readonly size: number;
}

export type RunStage =
  | { readonly kind: 'checking' }
  | { readonly kind: 'uploading'; readonly name: string; readonly index: number; readonly count: number }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'submitting' }
  /** The answer to the submission was lost; the job list is read. */
  | { readonly kind: 'lookingForJob' };

/** What the procedure asks of the person or of the one who embeds it. */
export interface RunAsks {
  /**
   * The local file of a media input, looked up only inside the workspace; undefined when there is none, then
   * the server is expected to have it. `name` has been checked: relative, no `..`, no drive.
   */
  localMedia(name: string): Promise<LocalMedia | undefined>;
  mayUpload(files: readonly UploadQuestion[]): Promise<boolean>;
  /** Partner nodes cost credits of their own: asked before each run that holds some. */
  maySpend(nodes: readonly PreparedPartnerNode[]): Promise<boolean>;
  /** The account key for partner nodes; asked for only when the workflow has some. */
  partnerKey(): Promise<string | undefined>;
  stage(stage: RunStage): void;
}

/** The server's own refusal in parts (protocol 1.5). */
export interface ServerRefusal {
  readonly type?: string | undefined;
  readonly message: string;
  readonly details?: string | undefined;
  readonly extraInfo?: unknown;
}

export type RunOutcome =
  | {
      readonly kind: 'submitted';
      readonly jobId: string;
      /** Branches that the server drops, and what the check found and was overruled on. */
      readonly warnings: readonly RunProblem[];
      /** False: there were no node definitions, so the workflow was not checked. */
      readonly checked: boolean;
      /** The prompt exactly as posted, for the run record. */
      readonly promptText: string;
      readonly prepared: PreparedRun;
    }
  | { readonly kind: 'refused'; readonly refusal: RunRefusal }
  | {
      readonly kind: 'refusedByServer';
      readonly error: ServerRefusal;
      readonly nodeErrors: unknown;
      /** The server's complaints at their places in the text. */
      readonly problems: readonly RunProblem[];
      readonly prepared: PreparedRun;
    }
  | { readonly kind: 'declined'; readonly what: 'upload' | 'spending' };

/**
 * The one procedure that runs a workflow text: check, upload, spend guard, socket, POST once, job. Trouble with
 * the server throws `ServerError`; an aborted run throws the signal's reason, and what was accepted meanwhile is
 * cancelled on the server.
 */
export function runWorkflow(request: RunRequest, asks: RunAsks, signal: AbortSignal): Promise<RunOutcome> {
  asks.stage({ kind: 'checking' });
  return Promise.reject(new Error(`not built yet: ${request.label} ${String(signal.aborted)}`));
}
