import type { TextEdit } from '../json/textEdit';
import type { JobOrigin } from '../jobs/job';
import type { InputToKeep } from '../records/keepInputs';
import type { MediaInput } from '../workflow/mediaInputs';
import type { Prompt } from '../workflow/prompt';
import type { CarriedGraph } from './graphPrompt';
import type { CompiledGraph } from './workflowPrompt';
import type { Finding } from '../check/finding';
import type { PromptPlaces } from '../workflow/promptPlaces';
import type { RunChoices } from './runChoices';

/** A media input that names a file in the server's input folder: it may have to be uploaded first. */
export interface PreparedMedia extends MediaInput {
  /** The server's node definitions list this file: one of that name is there already. */
  readonly listed: boolean;
}

/** A node that calls a paid service of a partner (workflows 3). */
export interface PreparedPartnerNode {
  readonly nodeId: string;
  readonly classType: string;
  readonly title: string;
}

/** Checked as far as could be, and seeded. Uploads change its texts; the key for partner nodes comes last. */
export interface PreparedRun {
  readonly kind: 'prepared';
  readonly choices: RunChoices;
  /** See `RunToSend`. */
  readonly promptId: string;
  /** The prompt: of a graph file the one that was compiled, a text of its own. */
  readonly prompt: Prompt;
  /** The places where server errors are shown. */
  readonly places: PromptPlaces;
  /** The server writes it into the pictures. */
  readonly graph?: CompiledGraph | undefined;
  readonly carried?: CarriedGraph | undefined;
  readonly promptText: string;
  /** It has the same edits; missing too if a graph that came with the prompt has no place for them. */
  readonly workflowText?: string | undefined;
  /** Edits that the texts carry, with offsets in the text of `prompt`. */
  readonly edits: readonly TextEdit[];
  readonly origin: JobOrigin;
  readonly media: readonly PreparedMedia[];
  /** The local files of `media`, once they are on the server. */
  readonly inputs?: readonly InputToKeep[] | undefined;
  readonly partnerNodes: readonly PreparedPartnerNode[];
  /** With `force`, these include the errors that would stop the server. */
  readonly findings: readonly Finding[];
  /** False without node definitions: only the structure was looked at. */
  readonly checked: boolean;
  /** Key for partner nodes: only in what is sent, never in a `RunOutcome`. */
  readonly partnerKey?: string | undefined;
}
