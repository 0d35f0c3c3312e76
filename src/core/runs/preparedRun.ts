import type { TextEdit } from '../json/textEdit';
import type { JobOrigin } from '../jobs/job';
import type { RunProblem } from './runRefusal';

/** A media input that names a file: the server has it, or it has to be uploaded first. */
export interface PreparedMedia {
  readonly nodeId: string;
  readonly input: string;
  /** What the workflow says, such as `portrait.png` or `sub/portrait.png`. */
  readonly name: string;
  readonly kind: 'image' | 'mask' | 'video' | 'audio' | 'file';
  /** The server's node definitions list this file: it is there already. */
  readonly listed: boolean;
  /** Place of the value, quotes included, in UTF-16 units of the workflow text. */
  readonly offset: number;
  readonly length: number;
}

/** A node that calls a paid service of a partner (protocol 7.2, peers N10). */
export interface PreparedPartnerNode {
  readonly nodeId: string;
  readonly classType: string;
  /** Title or class type. */
  readonly title: string;
}

/** Where a node of the prompt stands in the workflow text (UTF-16 units). */
export interface NodePlace {
  readonly offset: number;
  readonly length: number;
  readonly classType: string;
  /** Input name -> place of its value. */
  readonly inputs: ReadonlyMap<string, { readonly offset: number; readonly length: number }>;
}

/** A workflow text that may be sent: checked as far as could be, seeded, nothing uploaded yet. */
export interface PreparedRun {
  /** The prompt object cut from the text with the edits made: what would be posted if nothing is uploaded. */
  readonly promptText: string;
  /** The same with the values of `media` replaced by the names that the server gave. */
  promptTextWith(edits: readonly TextEdit[]): string;
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
  /** Node id -> place; what a server said about a node is shown there. */
  readonly places: ReadonlyMap<string, NodePlace>;
  /** Output nodes that alone are to run; empty: all. */
  readonly targets: readonly string[];
}
