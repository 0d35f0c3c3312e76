import type { Finding } from '../check/finding';
import type { JsonRange } from '../json/node';

type RunRefusalReason =
  | 'notJson'
  | 'empty'
  | 'notAWorkflow'
  /** A graph that the ComfyUI editor could not convert to a prompt either. */
  | 'graphInvalid'
  /** A graph cannot be turned into a prompt without the node definitions of the server. */
  | 'noDefinitions'
  | 'objectInfo'
  | 'badNode'
  | 'noNodes'
  | 'tooLarge'
  /** A link to a missing node where the server does not validate before running: it would stop the server. */
  | 'stopsServer'
  /** The server is expected to refuse it; `force` sends it all the same. */
  | 'invalid'
  /** The prompt would lack values or links of the graph; `allowLoss` sends it all the same. */
  | 'lossy'
  | 'unknownTarget'
  /** Without node definitions, it is unknown whether a server that can charge would; `force` sends it all the same. */
  | 'costUnknown'
  /** Outputs come over an event socket that can't be opened; `force` sends it all the same. */
  | 'unheard'
  | 'mediaOutside'
  | 'mediaTooLarge'
  /** A local file of a kind that its input does not accept; `force` runs without sending it. */
  | 'mediaNotSent'
  | 'noPartnerKey'
  /** The server has no place before what waits. */
  | 'notNext';

/** Nothing has been spent. */
export interface RunRefusal {
  readonly kind: 'refused';
  readonly reason: RunRefusalReason;
  readonly message: string;
  /** The message without the number of other problems. */
  readonly lead?: string;
  /** The message where all findings are shown too, so it leaves out the text of the first. */
  readonly summary?: string;
  readonly nextAction: string;
  /** The position in the text, in UTF-16 units, if there is one. */
  readonly offset?: number;
  readonly length?: number;
  readonly findings: readonly Finding[];
}

export function createRunRefusal(
  reason: RunRefusalReason,
  message: string,
  nextAction: string,
  where?: JsonRange,
  findings: readonly Finding[] = [],
): RunRefusal {
  const at = where && { offset: where.offset, length: where.length };
  return { kind: 'refused', reason, message, nextAction, ...at, findings };
}
