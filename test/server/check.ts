import type { LiveServer } from './liveServer';

/** The result of a check; a failed check throws. */
export type Finding =
  | { readonly kind: 'held'; readonly note?: string | undefined }
  /** The server lacks the feature, which is not a failure. */
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

/** Throws with a message for the table unless the condition holds. */
export function expectThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
