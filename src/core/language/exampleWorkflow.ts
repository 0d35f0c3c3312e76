export type ExampleKind = 'mistake' | 'completion';

/** The ID in a link that is alone on its line or next to its slot: `"samples": ["3", 0]`. */
const link = /("samples":\s*\[\s*")([^"]*)"/;

/** A sample with one link changed: to a missing node, or to no node yet. Both work without a server. */
export function exampleWorkflow(sample: string, kind: ExampleKind) {
  const found = link.exec(sample);
  const [, before = '', id = ''] = found ?? [];
  if (!found) return undefined;
  const offset = found.index + before.length;
  const changed = kind === 'mistake' ? `${id}${id}` : '';
  return { text: sample.slice(0, offset) + changed + sample.slice(offset + id.length), offset };
}
