import type { TextEdit } from '../json/textEdit';
import type { JobOrigin } from '../jobs/job';
import type { MediaInput } from '../workflow/mediaInputs';
import type { Prompt } from '../workflow/prompt';
import type { RunProblem } from './runRefusal';

/** A media input that names a file of the server's input folder: it may have to be uploaded first. */
export interface PreparedMedia extends MediaInput {
  /** The server's node definitions list this file: one of that name is there already. */
  readonly listed: boolean;
}

/** A node that calls a paid service of a partner (peers N10). */
export interface PreparedPartnerNode {
  readonly nodeId: string;
  readonly classType: string;
  /** Title or class type. */
  readonly title: string;
}

/** A workflow text that may be sent: checked as far as could be, seeded, nothing uploaded yet. */
export interface PreparedRun {
  readonly kind: 'prepared';
  /** The prompt with the places of everything in the workflow text; what a server says about a node is shown there. */
  readonly prompt: Prompt;
  /** The prompt object cut from the text with the edits made: what is posted when nothing is uploaded. */
  readonly promptText: string;
  /** Edits that `promptText` carries, with offsets in the workflow text. */
  readonly edits: readonly TextEdit[];
  /** SHA-256 (hex) of the whole workflow text as given. */
  readonly sourceHash: string;
  readonly nodeNames: JobOrigin['nodeNames'];
  readonly seeds: JobOrigin['seeds'];
  readonly media: readonly PreparedMedia[];
  readonly partnerNodes: readonly PreparedPartnerNode[];
  /** Trouble that does not stop the run, and with `force` the errors that would have. */
  readonly warnings: readonly RunProblem[];
  /** False without node definitions: only the structure was looked at. */
  readonly checked: boolean;
  /** Output nodes that alone are to run; empty: all. */
  readonly targets: readonly string[];
}
