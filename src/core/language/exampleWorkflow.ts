/** What an example lets somebody try: findings with their fixes, or completion. */
export type ExampleKind = 'mistake' | 'completion';

export interface Example {
  readonly text: string;
  /** Where the cursor goes. */
  readonly offset: number;
}

/** The id in a link that stands alone on its line or beside its slot: `"samples": ["3", 0]`. */
const link = /("samples":\s*\[\s*")([^"]*)"/;

/**
 * A sample with one link changed: to a node that is not there, or to no node yet. Both can be seen without a server.
 * Undefined where the sample has no such link.
 */
export function example(sample: string, kind: ExampleKind): Example | undefined {
  const found = link.exec(sample);
  const [, before = '', id = ''] = found ?? [];
  if (!found) return undefined;
  const offset = found.index + before.length;
  const changed = kind === 'mistake' ? `${id}${id}` : '';
  return { text: sample.slice(0, offset) + changed + sample.slice(offset + id.length), offset };
}
