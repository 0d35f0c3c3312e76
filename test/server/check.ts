import type { LiveServer } from './liveServer';

/** What came of a check; a check that does not hold throws. */
export type Finding =
  | { readonly kind: 'held'; readonly note?: string | undefined }
  /** The server has no such thing, which is no fault. */
  | { readonly kind: 'absent'; readonly why: string };

export interface Check {
  readonly name: string;
  run(server: LiveServer): Promise<Finding>;
}

export function held(note?: string): Finding {
  return { kind: 'held', note };
}

export function absent(why: string): Finding {
  return { kind: 'absent', why };
}

/** Throws in words for the table unless the condition holds. */
export function expectThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
