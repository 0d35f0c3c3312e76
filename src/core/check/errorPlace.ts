import type { JsonRange } from '../json/node';
import type { PromptInput } from '../workflow/prompt';

export interface ErrorPlace {
  readonly nodeId: string;
  readonly input?: PromptInput | undefined;
  /** The part to underline: a value, a link, a node type or a node ID. */
  readonly range: JsonRange;
}
