import type { Finding } from '../check/finding';
import type { JsonRange } from '../json/node';

/** Why a text is not run, as far as a person has to act differently. */
export type RunRefusalReason =
  | 'notJson'
  | 'empty'
  | 'notAWorkflow'
  /** A graph that the web page could not turn into a prompt either. */
  | 'graphInvalid'
  /** A graph cannot be turned into a prompt without the node definitions of the server. */
  | 'noDefinitions'
  | 'objectInfo'
  | 'badNode'
  | 'noNodes'
  | 'tooLarge'
  /** A link to a node that does not exist, where the server does not look before it runs: it would stop the server. */
  | 'stopsServer'
  /** The server is expected to refuse it; `force` sends it all the same. */
  | 'invalid'
  | 'unknownTarget'
  /** The name of a media file is a path out of the workspace. */
  | 'mediaOutside'
  | 'mediaTooLarge'
  /** A local file that is not of the kind that its input takes; `force` runs without sending it. */
  | 'mediaNotSent'
  | 'noPartnerKey';

/** A text that is not sent. Nothing has been spent. */
export interface RunRefusal {
  readonly kind: 'refused';
  readonly reason: RunRefusalReason;
  /** One clear sentence: what is wrong. */
  readonly message: string;
  /** The same where all findings stand beside it: without what the first of them says. */
  readonly summary?: string;
  /** What to do next. */
  readonly nextAction: string;
  /** Where in the text, in UTF-16 units, when there is one place. */
  readonly offset?: number;
  readonly length?: number;
  /** All that is wrong, each at its place. */
  readonly findings: readonly Finding[];
}

export function refusal(
  reason: RunRefusalReason,
  message: string,
  nextAction: string,
  where?: JsonRange,
  findings: readonly Finding[] = [],
): RunRefusal {
  const at = where && { offset: where.offset, length: where.length };
  return { kind: 'refused', reason, message, nextAction, ...at, findings };
}
