import type { Catalog } from '../catalog/catalog';
import type { PreparedRun } from './preparedRun';
import type { RunRefusal } from './runRefusal';

export interface PrepareOptions {
  /** Node definitions of the server; without them only the structure is checked. */
  readonly catalog?: Catalog | undefined;
  readonly seeds: 'keep' | 'new';
  /** Output nodes that alone are to run. */
  readonly targets?: readonly string[] | undefined;
  /** Send although the server is expected to refuse it; what would stop the server is refused all the same. */
  readonly force?: boolean | undefined;
  /** A random seed up to `max` in decimal digits; the built-in one is cryptographically random. */
  readonly randomSeed?: ((max: bigint) => bigint) | undefined;
}

export type Preparation =
  | { readonly kind: 'prepared'; readonly run: PreparedRun }
  | { readonly kind: 'refused'; readonly refusal: RunRefusal };

/**
 * Makes a workflow text ready to be sent, or says in one sentence why not. Reads nothing but the text, sends nothing.
 * The prompt is cut from the text: numbers keep every digit, keys their order.
 */
export function prepareRun(text: string, options: PrepareOptions): Preparation {
  throw new Error(`not built yet: ${String(text.length)} ${options.seeds}`);
}
