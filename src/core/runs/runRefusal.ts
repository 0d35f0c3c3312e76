/** Why a text is not run, as far as a person has to act differently. */
export type RunRefusalReason =
  | 'notJson'
  | 'empty'
  | 'notAWorkflow'
  | 'graphFormat'
  | 'objectInfo'
  | 'badNode'
  | 'noNodes'
  | 'tooLarge'
  /** A link to a node that does not exist, in an input that the server does not check: it would stop the server. */
  | 'stopsServer'
  | 'invalid'
  | 'unknownTarget'
  /** A local file that the workflow names lies outside the workspace, or its name is a path out of it. */
  | 'mediaOutside'
  | 'mediaTooLarge'
  | 'noPartnerKey';

/** A text that is not sent. Nothing has been uploaded or spent. */
export interface RunRefusal {
  readonly reason: RunRefusalReason;
  /** One clear sentence: what is wrong. */
  readonly message: string;
  /** What to do next. */
  readonly nextAction: string;
  /** Where in the text, in UTF-16 units, when there is one place. */
  readonly offset?: number;
  readonly length?: number;
  /** All places, for diagnostics. */
  readonly places?: readonly RunProblem[];
}

/** One thing that is wrong at one place of the workflow text (offsets in UTF-16 units). */
export interface RunProblem {
  readonly nodeId: string;
  /** Input name; missing when the node as a whole is meant. */
  readonly input?: string;
  readonly offset: number;
  readonly length: number;
  readonly message: string;
  /** The server's own kind, such as `value_not_in_list` (protocol 7.2). */
  readonly type: string;
}
