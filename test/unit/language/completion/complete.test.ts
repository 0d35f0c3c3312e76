import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { completeAtOffset } from '../../../../src/core/language/completion/complete';
import type { Completion } from '../../../../src/core/language/completion/completion';
import { catalog, chain, cursorIn, graph, marked, type Marked } from '../sample';

/** The labels in the order of an editor. */
function offered({ doc, offset }: Marked): string[] {
  return sorted(completeAtOffset(doc, offset, catalog)).map(({ label }) => label);
}

function sorted(items: readonly Completion[]): Completion[] {
  return [...items].sort((a, b) => (a.sortText < b.sortText ? -1 : 1));
}

/** The text after accepting the completion with that label. */
function chosen({ doc, offset }: Marked, label: string): string {
  const item = completeAtOffset(doc, offset, catalog).find((each) => each.label === label);
  if (!item) throw new Error(`${label} is not offered`);
  return applyEdits(doc.text, [item.edit, ...(item.furtherEdits ?? [])]);
}

describe('files to upload', () => {
  it('are offered from the workspace before those of the server, each once', () => {
    for (const text of [
      '{"1": {"class_type": "Load", "inputs": {"image": "¦"}}}',
      '{"nodes": [{"id": 1, "type": "Load", "widgets_values": ["¦", "image"]}], "version": 0.4}',
    ]) {
      const { doc, offset } = marked(text);
      const items = sorted(
        completeAtOffset(doc, offset, catalog, (kind) => (kind === 'image' ? ['a"b.png', 'dog.png'] : [])),
      ).filter(({ kind }) => kind === 'value');
      expect(items.map(({ label, localFile, edit }) => [label, localFile, edit.newText])).toEqual([
        ['a"b.png', 'a"b.png', '"a\\"b.png"'],
        ['dog.png', 'dog.png', '"dog.png"'],
        ['cat.png', undefined, '"cat.png"'],
      ]);
      const once = completeAtOffset(doc, offset, catalog, () => ['cat.png']);
      expect(once.filter(({ label }) => label === 'cat.png')).toHaveLength(1);
    }
  });

  it('are asked for at no other value', () => {
    const { doc, offset } = marked('{"1": {"class_type": "Sampler", "inputs": {"sampler": "¦"}}}');
    completeAtOffset(doc, offset, catalog, () => expect.fail('no file goes there'));
  });
});

describe('node types', () => {
  it('in use come first, deprecated ones last', () => {
    const labels = offered(cursorIn(chain, '"Save"', 3));
    expect(labels.slice(0, 3).sort()).toEqual(['Checkpoint', 'Encode', 'Sampler']);
    expect(labels.at(-1)).toBe('Upscale');
  });

  it("that fit the node's outgoing links come before all others", () => {
    const labels = offered(cursorIn(chain, '"Encode"', 1));
    expect(labels[0]).toBe('Encode');
  });

  it('replace the existing text, closed or not', () => {
    const closed = marked('{"1": {"class_type": "En¦", "inputs": {}}}');
    expect(chosen(closed, 'Encode')).toBe('{"1": {"class_type": "Encode", "inputs": {}}}');
    const open = marked('{"1": {"inputs": {}, "class_type": "En¦\n}}');
    expect(chosen(open, 'Encode')).toBe('{"1": {"inputs": {}, "class_type": "Encode"\n}}');
  });

  it('are found by alias and display name', () => {
    const { doc, offset } = cursorIn(chain, '"Save"', 1);
    const item = completeAtOffset(doc, offset, catalog).find(({ label }) => label === 'Checkpoint');
    expect(item?.filterText).toBe('"Checkpoint" Load Checkpoint load model');
    expect(item?.detail).toBe('Load Checkpoint · loaders');
  });
});

describe('inputs', () => {
  const place = marked('{"1": {"class_type": "Sampler", "inputs": { "steps": 20, ¦ }}}');

  it('that are missing are offered, required ones first', () => {
    expect(offered(place)).toEqual([
      'model',
      'positive',
      'seed',
      'sampler',
      'tiled',
      'latent',
      'All missing inputs',
    ]);
  });

  it('insert a default, a choice or the best link', () => {
    const text = chain.replace('"tiled": false', '"tiled": false, ¦').replace('"seed": 7,', '');
    expect(snippetOf(marked(text), 'seed')).toBe('"seed": ${1:0}');
    const links = chain.replace('"model": ["1", 0],', '¦');
    expect(snippetOf(marked(links), 'model')).toBe('"model": ${1:["1", 0]},');
    expect(snippetOf(place, 'sampler')).toBe('"sampler": ${1|"heun","euler"|}');
  });

  it('get the commas they need', () => {
    const before = marked('{"1": {"class_type": "Encode", "inputs": { "text": "x" ¦ }}}');
    expect(snippetOf(before, 'clip')).toBe(', "clip": ["$1", 0]');
    const between = marked('{"1": {"class_type": "Encode", "inputs": { ¦ "text": "x" }}}');
    expect(snippetOf(between, 'clip')).toBe('"clip": ["$1", 0],');
  });

  it("are formatted like the file's other members, one or all", () => {
    const all = (inputs: string): string | undefined => {
      const text = chain.replace(/"inputs": \{ "text": "a cat".*\}/, `"inputs": ${inputs}`);
      return snippetOf(marked(text), 'All missing inputs');
    };
    const members = ['"text": "$1"', '"clip": ${2:["1", 1]}'];
    expect(all('{¦}')).toBe(`\n      ${members.join(',\n      ')}\n    `);
    expect(all('{\n        ¦\n    }')).toBe(members.join(',\n        '));
    const oneLine = marked('{"1": {"class_type": "Encode", "inputs": {¦}}}');
    expect(snippetOf(oneLine, 'All missing inputs')).toBe('"text": "$1", "clip": ["$2", 0]');
  });

  it('of the chosen option of a dynamic combo', () => {
    const bySize = marked('{"1": {"class_type": "Resize", "inputs": { "mode": "by size", ¦ }}}');
    expect(offered(bySize)).toEqual(['mode.width']);
  });

  function snippetOf({ doc, offset }: Marked, label: string): string | undefined {
    return completeAtOffset(doc, offset, catalog).find((each) => each.label === label)?.edit.newText;
  }
});

describe('values', () => {
  it('are options, booleans, or limits of a number', () => {
    expect(offered(cursorIn(chain, '"euler"', 2))).toEqual(['euler', 'heun']);
    expect(offered(cursorIn(chain, 'false', 2))).toEqual(['true', 'false']);
    expect(offered(cursorIn(chain, '"steps": 20', 10))).toEqual(['20', '1', '100']);
  });

  it('are offered where there is no value yet', () => {
    const place = marked('{"1": {"class_type": "Sampler", "inputs": {"sampler": ¦}}}');
    expect(chosen(place, 'euler')).toBe('{"1": {"class_type": "Sampler", "inputs": {"sampler": "euler"}}}');
  });

  it('keep similar model names distinguishable', () => {
    const { doc, offset } = cursorIn(chain, '"a.safetensors"', 4);
    expect(completeAtOffset(doc, offset, catalog).map(({ kind, label }) => [kind, label])).toEqual([
      ['model', 'a.safetensors'],
      ['model', 'sub/b.safetensors'],
    ]);
  });

  it('of a dynamic combo show the inputs they add', () => {
    const { doc, offset } = marked('{"1": {"class_type": "Resize", "inputs": {"mode": "¦"}}}');
    const values = completeAtOffset(doc, offset, catalog).filter(({ kind }) => kind === 'value');
    expect(values.map(({ label, detail }) => [label, detail])).toEqual([
      ['by size', 'with width'],
      ['by factor', 'with factor'],
    ]);
  });
});

describe('links', () => {
  it('match by type and close no cycle', () => {
    const model = chain.replace('"model": ["1", 0]', '"model": [¦]');
    expect(offered(marked(model))).toEqual(['1 · My model · MODEL']);
    const loop = chain.replace('"clip": ["1", 1]', '"clip": [¦]');
    expect(offered(marked(loop))).toEqual(['1 · My model · CLIP']);
    const latent = chain.replace('"tiled": false', '"tiled": false, "latent": [¦]');
    expect(offered(marked(latent))).toEqual([]);
  });

  it('are inserted complete', () => {
    const place = marked(chain.replace('"model": ["1", 0]', '"model": ["¦"]'));
    expect(chosen(place, '1 · My model · MODEL')).toBe(chain);
  });

  it('are offered while the bracket is still open', () => {
    const place = marked(chain.replace('"model": ["1", 0],', '"model": [¦'));
    expect(offered(place)).toEqual(['1 · My model · MODEL']);
    expect(chosen(place, '1 · My model · MODEL')).toContain('"model": ["1", 0]');
  });

  it('on several lines are replaced in both parts', () => {
    const place = marked(
      '{"1": {"class_type": "Checkpoint", "inputs": {}}, "2": {"class_type": "Encode", "inputs": {"clip": [\n"¦9",\n0\n]}}}',
    );
    expect(chosen(place, '1 · Load Checkpoint · CLIP')).toContain('"clip": [\n"1",\n1\n]');
  });

  it('name their slots', () => {
    const place = cursorIn(chain, '["1", 1]', 6);
    expect(offered(place)).toEqual(['1 · CLIP', '0 · MODEL', '2 · VAE']);
  });
});

describe('nodes', () => {
  it('get an unused ID', () => {
    const place = marked('{ "7": {"class_type": "Save", "inputs": {}}, ¦ }');
    expect(offered(place)).toEqual(['8']);
    const { doc, offset } = marked('{\n    "7": {"class_type": "Save", "inputs": {}},\n    ¦\n}');
    const [node] = completeAtOffset(doc, offset, catalog);
    const filled = node?.edit.newText.replace(/\$\d/g, '');
    expect(filled).toBe(
      '"8": {\n        "class_type": "",\n        "inputs": {},\n        "_meta": { "title": "" }\n    }',
    );
  });

  it('get missing members', () => {
    const place = marked(chain.replace('"2": {', '"7": {"class_type": "Save", ¦ },\n"2": {'));
    expect(offered(place)).toEqual(['inputs', '_meta']);
  });
});

describe('graph files', () => {
  it('offer node types, widget values, control modes, modes and links', () => {
    expect(offered(cursorIn(graph, '"Sampler"', 2))).toContain('Encode');
    expect(offered(cursorIn(graph, '"euler"', 2))).toEqual(['euler', 'heun']);
    expect(offered(cursorIn(graph, '"randomize"', 2))).toEqual([
      'fixed',
      'increment',
      'decrement',
      'randomize',
    ]);
    expect(offered(cursorIn(graph, '"mode": 0', 8))).toEqual(['0', '2', '4']);
    const { doc, offset } = cursorIn(graph, '"link": 1', 9);
    expect(completeAtOffset(doc, offset, catalog).map(({ label, detail }) => [label, detail])).toEqual([
      ['1', 'My model · MODEL · MODEL'],
    ]);
  });

  it("put node types first that fit the node's outgoing links", () => {
    const classes = offered(cursorIn(graph, '"Sampler"', 2));
    expect(classes.slice(0, 2)).toEqual(['Sampler', 'Upscale']);
  });

  it('offer matching link ends with their slots, and no cycle', () => {
    const { doc, offset } = cursorIn(graph, '[2, 2,', 4);
    const ends = completeAtOffset(doc, offset, catalog);
    expect(ends.map(({ label }) => label)).toEqual(['2 · Sampling · LATENT']);
    const wide = graph.replace('"name": "images", "type": "IMAGE,LATENT"', '"name": "images", "type": "*"');
    const place = cursorIn(wide, '[2, 2,', 4);
    const origins = sorted(completeAtOffset(place.doc, place.offset, catalog));
    expect(origins.map(({ label }) => label)).toEqual([
      '2 · Sampling · LATENT',
      '1 · My model · MODEL',
      '1 · My model · CLIP',
    ]);
    const clip = origins.at(-1);
    expect(clip?.edit.newText).toBe('1');
    expect(clip?.furtherEdits).toEqual([{ offset: wide.indexOf('[2, 2, 0') + 7, length: 1, newText: '1' }]);
    expect(offered(cursorIn(graph, '[1, 1, 0', 7))).toEqual(['0 · MODEL', '1 · CLIP']);
    expect(offered(cursorIn(graph, '"origin_id": -10', 14))).toEqual(['-10 · Subgraph input · model']);
  });
});

describe('links to a dynamic slot', () => {
  it('are offered only from outputs of any type, as a server accepts no others', () => {
    const slot = ['COMFY_DYNAMICSLOT_V3', { slotType: 'MODEL', inputs: {} }];
    const slots = Catalog.fromDefinitions({
      Give: { input: {}, output: ['MODEL', '*'], output_name: ['MODEL', 'any'], python_module: 'nodes' },
      Take: { input: { optional: { slot } }, output: [], output_node: true, python_module: 'nodes' },
    });
    const { doc, offset } = marked(
      '{"1": {"class_type": "Give", "inputs": {}}, "2": {"class_type": "Take", "inputs": {"slot": [¦]}}}',
    );
    const labels = completeAtOffset(doc, offset, slots).map(({ label }) => label);
    expect(labels).toEqual(['1 · Give · any']);
  });
});
