import { randomInt } from 'node:crypto';
import type { Catalog } from '../../src/core/catalog/catalog';

/** Nodes of a prompt as plain data; links are `[id, slot]`. */
export type Nodes = Readonly<
  Record<string, { readonly class_type: string; readonly inputs: Readonly<Record<string, unknown>> }>
>;

/** A color that no earlier run used, so that nothing comes from the server's cache. */
export function newColour(): number {
  return randomInt(0, 0xffffff);
}

/** One plain picture, saved: runs on every server, needs no model. */
export function plainPicture(colour = newColour(), size = 64): Nodes {
  return {
    1: node('EmptyImage', { width: size, height: size, batch_size: 1, color: colour }),
    2: node('SaveImage', { images: ['1', 0], filename_prefix: 'conformance' }),
  };
}

/** A run of several seconds that can be interrupted; undefined if the server has no nodes for it. */
export function slowPicture(catalog: Catalog): Nodes | undefined {
  const picture = node('EmptyImage', { width: 2048, height: 2048, batch_size: 1, color: newColour() });
  const save = (from: string): Nodes[string] =>
    node('SaveImage', { images: [from, 0], filename_prefix: 'conformance' });
  if (catalog.has('SandboxSlow')) {
    return { 1: picture, 2: node('SandboxSlow', { value: ['1', 0], steps: 2000 }), 3: save('2') };
  }
  if (!catalog.has('ImageBlur')) return undefined;
  const length = 24;
  const blurs = Array.from({ length }, (_, index): [string, Nodes[string]] => {
    const id = String(index + 2);
    return [id, node('ImageBlur', { image: [String(index + 1), 0], blur_radius: 31, sigma: 10 })];
  });
  return { 1: picture, ...Object.fromEntries(blurs), [String(length + 2)]: save(String(length + 1)) };
}

export function node(classType: string, inputs: Readonly<Record<string, unknown>>): Nodes[string] {
  return { class_type: classType, inputs };
}

/** File text of a prompt, with the titles that some servers require. */
export function textOf(nodes: Nodes): string {
  const titled = Object.entries(nodes).map(([id, each]) => [
    id,
    { ...each, _meta: { title: each.class_type } },
  ]);
  return JSON.stringify(Object.fromEntries(titled));
}
