import type { TextEdit } from '../json/textEdit';
import type { JobOrigin } from '../jobs/job';
import type { MediaInput } from '../workflow/mediaInputs';
import type { Prompt } from '../workflow/prompt';
import type { CompiledGraph } from './workflowPrompt';
import type { Finding } from '../check/finding';
import type { PromptPlaces } from '../workflow/promptPlaces';

/** A media input that names a file in the server's input folder: it may have to be uploaded first. */
export interface PreparedMedia extends MediaInput {
  /** The server's node definitions list this file: one of that name is there already. */
  readonly listed: boolean;
}

/** A node that calls a paid service of a partner (workflows 3). */
export interface PreparedPartnerNode {
  readonly nodeId: string;
  readonly classType: string;
  /** Title or node type. */
  readonly title: string;
}

/** A workflow text that may be sent: checked as far as could be, seeded, nothing uploaded yet. */
export interface PreparedRun {
  readonly kind: 'prepared';
  /** The prompt; for a graph file, the compiled one, with its own text. */
  readonly prompt: Prompt;
  /** The positions of nodes and inputs in the workflow text, where server errors are shown. */
  readonly places: PromptPlaces;
  /** The graph that the prompt was compiled from: the server writes it into the pictures. */
  readonly graph?: CompiledGraph | undefined;
  /** The prompt object cut from its text with the edits applied: what is posted if nothing is uploaded. */
  readonly promptText: string;
  /** Edits that `promptText` carries, with offsets in the text of `prompt`. */
  readonly edits: readonly TextEdit[];
  /** SHA-256 (hex) of the entire workflow text. */
  readonly sourceHash: string;
  /** Hash of the prompt; undefined for a graph without node definitions. */
  readonly promptHash: string | undefined;
  readonly nodeNames: JobOrigin['nodeNames'];
  readonly seeds: JobOrigin['seeds'];
  readonly media: readonly PreparedMedia[];
  readonly partnerNodes: readonly PreparedPartnerNode[];
  /**
   * What the check says about the run: what the server leaves out or loses and, with `force`, the errors that would
   * stop it.
   */
  readonly findings: readonly Finding[];
  /** False without node definitions: only the structure was looked at. */
  readonly checked: boolean;
  /** The only output nodes to run; empty: all. */
  readonly targets: readonly string[];
}
