import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { applyEdits } from '../../../src/core/json/textEdit';
import { fixAll, fixesForFinding } from '../../../src/core/language/edits/fixes';
import { parseJson } from '../../../src/core/json/tree';
import { compileGraph } from '../../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../../src/core/workflow/graph/graph';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { check, lines, the } from './checkTexts';
import { graph, type Slot } from './graphTexts';

const choosing = {
  Source: { input: {}, output: ['IMAGE'] },
  Pick: {
    input: {
      required: {
        prompt: ['STRING', {}],
        model: [
          'COMFY_DYNAMICCOMBO_V3',
          {
            options: [
              {
                key: 'some',
                inputs: {
                  required: {
                    images: [
                      'COMFY_AUTOGROW_V3',
                      {
                        template: { input: { required: { image: ['IMAGE', {}] } }, prefix: 'image', max: 9 },
                      },
                    ],
                  },
                },
              },
              { key: 'none', inputs: { required: {} } },
            ],
          },
        ],
      },
    },
    output: [],
    output_node: true,
  },
};
const branches = Catalog.fromDefinitions(choosing);

const merge = {
  Source: { input: {}, output: ['IMAGE'] },
  Merge: { input: { required: { a: ['IMAGE'], b: ['IMAGE'] } }, output: [], output_node: true },
};
const merging = Catalog.fromDefinitions(merge);
const source = { id: 1, type: 'Source', mode: 0, inputs: [], outputs: [{ name: 'IMAGE', type: 'IMAGE' }] };
const other = { ...source, id: 2 };

/** A file with two sources and a node whose inputs name these links. */
function merged(named: readonly unknown[], rows: readonly unknown[], more: readonly Slot[] = []): string {
  const inputs = ['a', 'b'].map((name, at) => ({ name, type: 'IMAGE', link: named[at] ?? null }));
  return fileOf([source, other, { id: 3, type: 'Merge', mode: 0, inputs, outputs: [] }, ...more], rows);
}

function fileOf(nodes: readonly Slot[], rows: readonly unknown[]): string {
  return JSON.stringify({ last_node_id: 9, last_link_id: 9, nodes, links: rows, version: 0.4 });
}

/** What the prompt holds before and after all fixes, and what is still found then. */
function fixed(
  text: string,
  catalog: Catalog,
): { before: unknown; after: unknown; left: string[]; text: string } {
  let now = text;
  for (let round = 0; round < 5; round++) {
    const found = check(now, { catalog }).findings.filter(({ code }) => code === 'link-table');
    now = applyEdits(now, fixAll(WorkflowDocument.of(now), found));
  }
  const left = lines(now, { catalog }).filter((line) => line.includes('link-table'));
  return { before: promptOf(text, catalog), after: promptOf(now, catalog), left, text: now };
}

/** The text after the fix of the first finding about links. */
function oneFixed(text: string, catalog: Catalog): string {
  const finding = check(text, { catalog }).findings.find(({ code }) => code === 'link-table');
  const [fix] = finding ? fixesForFinding(WorkflowDocument.of(text), finding) : [];
  return applyEdits(text, fix?.edits ?? []);
}

function promptOf(text: string, catalog: Catalog): unknown {
  const document = parseJson(text);
  const compiled = document.root && compileGraph(readGraph(document, document.root), catalog);
  if (compiled?.kind !== 'compiled') throw new Error('refused');
  return JSON.parse(compiled.prompt.document.text);
}

describe('the list of links', () => {
  it.each<[string, (number | null)[], unknown[][], string[]]>([
    [
      'agrees with its inputs',
      [4, 5],
      [
        [4, 1, 0, 3, 0, 'IMAGE'],
        [5, 2, 0, 3, 1, 'IMAGE'],
      ],
      [],
    ],
    [
      'has two links for one slot',
      [4],
      [
        [4, 1, 0, 3, 0, 'IMAGE'],
        [5, 2, 0, 3, 0, 'IMAGE'],
      ],
      ['information link-table [5,2,0,3,0,"IMAGE"]'],
    ],
    [
      'has a link that no input names',
      [],
      [[4, 1, 0, 3, 1, 'IMAGE']],
      ['information link-table [4,1,0,3,1,"IMAGE"]'],
    ],
    [
      'has a link to a slot beyond the last',
      [],
      [[4, 1, 0, 3, 7, 'IMAGE']],
      ['information link-table [4,1,0,3,7,"IMAGE"]'],
    ],
    [
      'names another slot than the input that names the link',
      [4],
      [[4, 1, 0, 3, 1, 'IMAGE']],
      ['information link-table 1'],
    ],
    [
      'has two named links for one slot',
      [4, 5],
      [
        [4, 1, 0, 3, 1, 'IMAGE'],
        [5, 2, 0, 3, 1, 'IMAGE'],
      ],
      ['warning link-table 1'],
    ],
    ['has one link for two inputs', [4, 4], [[4, 1, 0, 3, 0, 'IMAGE']], ['warning link-table 4']],
    [
      'has one ID for two links',
      [4, 4],
      [
        [4, 1, 0, 3, 0, 'IMAGE'],
        [4, 2, 0, 3, 1, 'IMAGE'],
      ],
      ['warning link-table 4'],
    ],
  ])('%s: the fix keeps the prompt', (_, named, rows, expected) => {
    const text = merged(named, rows);
    const found = lines(text, { catalog: merging }).filter((line) => line.includes('link-table'));
    expect(found).toEqual(expected);
    const { before, after, left } = fixed(text, merging);
    expect(after).toEqual(before);
    expect(left).toEqual([]);
  });

  it('has a link that ends at another node: the fix adds a row', () => {
    const second = {
      id: 4,
      type: 'Merge',
      mode: 0,
      inputs: [{ name: 'a', type: 'IMAGE', link: 5 }],
      outputs: [],
    };
    const text = merged([5], [[5, 2, 0, 3, 0, 'IMAGE']], [second]);
    expect(the('link-table', text, { catalog: merging }).message).toBe(
      'a of Merge (node 4) names link 5, which ends at Merge (node 3). The prompt connects both, as older ComfyUI editors do, but newer ones drop this connection. Give the input its own link.',
    );
    const { before, after, left, text: now } = fixed(text, merging);
    expect(after).toEqual(before);
    expect(left).toEqual([]);
    const file = JSON.parse(now) as {
      links: unknown;
      last_link_id: number;
      nodes: { inputs: { link: unknown }[] }[];
    };
    expect(file.links).toEqual([
      [5, 2, 0, 3, 0, 'IMAGE'],
      [10, 2, 0, 4, 0, 'IMAGE'],
    ]);
    expect(file.nodes[3]?.inputs[0]?.link).toBe(10);
    expect(file.last_link_id).toBe(10);
  });

  it('is named by a node without an ID: no fix, to which no link could lead', () => {
    const inputs = [{ name: 'a', type: 'IMAGE', link: 5 }];
    const second = { id: 9, type: 'Source', mode: 0, outputs: [] };
    const nameless = { type: 'Merge', mode: 0, inputs, outputs: [] };
    const text = merged([5], [[5, 2, 0, 3, 0, 'IMAGE']], [second, nameless]);
    expect(the('link-table', text, { catalog: merging }).fix).toBeUndefined();
    const { text: now } = fixed(text, merging);
    expect(now).toBe(text);
  });

  it('leads to nodes without inputs: the fix writes them', () => {
    const text = fileOf(
      [source, other, { id: 3, type: 'Merge', mode: 0, outputs: [] }],
      [
        [4, 1, 0, 3, 0, 'IMAGE'],
        [5, 2, 0, 3, 1, 'IMAGE'],
      ],
    );
    expect(the('link-table', text, { catalog: merging }).message).toContain('2 links lead to Merge (node 3)');
    const { before, after, left } = fixed(text, merging);
    expect(after).toEqual(before);
    expect(left).toEqual([]);
  });

  it('leads to very many inputs that do not name it: the finding names a few', () => {
    const ids = Array.from({ length: 40 }, (_, slot) => slot);
    const inputs = ids.map((id) => ({ name: `in${id}`, type: 'IMAGE' }));
    const rows = ids.map((id) => [id, 1, 0, 3, id, 'IMAGE']);
    const text = fileOf([source, { id: 3, type: 'Unknown', mode: 0, inputs, outputs: [] }], rows);
    expect(the('link-table', text, { catalog: merging }).message).toContain(
      '(in0, in1, in2, in3, in4, in5, in6, in7, 32 more)',
    );
  });

  it('leads into a branch that the value does not choose: the link is lost', () => {
    const picked = (value: string, names: readonly string[]): string => {
      const inputs = names.map((name, at) => ({ name, type: 'IMAGE', link: name === '' ? null : at + 4 }));
      const node = { id: 3, type: 'Pick', mode: 0, inputs, outputs: [], widgets_values: ['a', value] };
      return fileOf(
        [source, node],
        names.map((_, at) => [at + 4, 1, 0, 3, at, 'IMAGE']),
      );
    };
    const lost = picked('none', ['model.images.image0']);
    expect(lines(lost, { catalog: branches })).toEqual(['warning link-table "model.images.image0"']);
    const { message } = the('link-table', lost, { catalog: branches });
    expect(message).toContain('the ComfyUI editor connects it to prompt.');
    // The user may want the other branch instead.
    expect(fixed(lost, branches).text).toBe(lost);
    const removed = oneFixed(lost, branches);
    expect(lines(removed, { catalog: branches })).toEqual([]);
    expect(removed).not.toContain('[4,1,0,3,0');
    // A valid branch, in which the editor counts slots before they grow.
    const two = picked('some', ['model.images.image0', 'model.images.image1']);
    expect(lines(two, { catalog: branches })).toEqual([]);
    const three = picked('some', ['model.images.image0', 'model.images.image1', 'model.images.image2']);
    expect(lines(three, { catalog: branches })).toEqual(['information link-table "model.images.image0"']);
    expect(the('link-table', three, { catalog: branches }).message).toContain(
      'every link to model.images of Pick',
    );
  });

  it('has a lost link that another input names: it stays until that has its own', () => {
    const inputs = [{ name: 'model.images.image0', type: 'IMAGE', link: 4 }];
    const pick = { id: 3, type: 'Pick', mode: 0, inputs, outputs: [], widgets_values: ['a', 'none'] };
    const second = { id: 5, type: 'Merge', mode: 0, inputs: [{ name: 'a', type: 'IMAGE', link: 4 }] };
    const catalog = Catalog.fromDefinitions({ ...merge, ...choosing });
    const text = fileOf([source, pick, second], [[4, 1, 0, 3, 0, 'IMAGE']]);
    const lost = check(text, { catalog }).findings.find(({ message }) => message.includes('is lost'));
    expect(lost && fixesForFinding(WorkflowDocument.of(text), lost)).toEqual([]);
    const { before, text: now } = fixed(text, catalog);
    expect(before).toMatchObject({ '5': { inputs: { a: ['1', 0] } } });
    expect(promptOf(oneFixed(now, catalog), catalog)).toEqual(before);
  });

  it('has a lost link in front of another one: the fix lets neither into the slot', () => {
    const inputs = [{ name: 'model.images.image0', type: 'IMAGE', link: 4 }];
    const pick = { id: 3, type: 'Pick', mode: 0, inputs, outputs: [], widgets_values: ['a', 'none'] };
    const rows = [4, 5].map((id) => [id, 1, 0, 3, 0, 'IMAGE']);
    const text = fileOf([source, pick], rows);
    const lost = check(text, { catalog: branches }).findings.find(({ message }) =>
      message.includes('is lost'),
    );
    const [fix] = lost ? fixesForFinding(WorkflowDocument.of(text), lost) : [];
    const after = applyEdits(text, fix?.edits ?? []);
    expect(promptOf(after, branches)).toEqual(promptOf(text, branches));
    expect(after).toContain('"links":[]');
  });

  it('has a link that only the input of another node uses: it is not without effect', () => {
    const second = { id: 4, type: 'Merge', mode: 0, inputs: [{ name: 'a', type: 'IMAGE', link: 5 }] };
    const text = merged([], [[5, 2, 0, 3, 7, 'IMAGE']], [second]);
    expect(lines(text, { catalog: merging }).filter((line) => line.includes('link-table'))).toEqual([
      'warning link-table 5',
    ]);
    const { before, after } = fixed(text, merging);
    expect(after).toEqual(before);
  });

  it.each<[string, unknown[], (string | number)[]]>([
    ['texts', ['a', 'b'], ['a']],
    ['numbers and texts', ['a', 7], ['a']],
    ['repeated', [4, 4], [4]],
  ])(
    'has two links to an output of a subgraph whose IDs are %s: the fix lists the one that counts',
    (_, ids, kept) => {
      const part = {
        id: '11111111-2222-4333-8444-555555555555',
        name: 'Part',
        version: 1,
        inputs: [],
        outputs: [{ id: 'o', name: 'IMAGE', type: 'IMAGE', linkIds: [...ids].reverse() }],
        nodes: [{ ...source, id: 5 }],
        links: ids.map((id) => ({
          id,
          origin_id: 5,
          origin_slot: 0,
          target_id: -20,
          target_slot: 0,
          type: 'IMAGE',
        })),
      };
      const outputs = [{ name: 'IMAGE', type: 'IMAGE', links: [4] }];
      const nodes = [
        { id: 1, type: part.id, mode: 0, inputs: [], outputs },
        { id: 3, type: 'Merge', mode: 0, inputs: [{ name: 'a', type: 'IMAGE', link: 4 }], outputs: [] },
      ];
      const file = JSON.parse(fileOf(nodes, [[4, 1, 0, 3, 0, 'IMAGE']])) as object;
      const text = JSON.stringify({ ...file, definitions: { subgraphs: [part] } });
      const { before, after, left, text: now } = fixed(text, merging);
      expect(after).toEqual(before);
      expect(left).toEqual([]);
      const { definitions } = JSON.parse(now) as { definitions: { subgraphs: (typeof part)[] } };
      expect(new Set(definitions.subgraphs[0]?.outputs[0]?.linkIds)).toEqual(new Set(kept));
    },
  );

  it('leads to an output of a subgraph that lists none: the fix lists it', () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const part = {
      id,
      name: 'Part',
      version: 1,
      state: { lastNodeId: 9, lastLinkId: 9, lastGroupId: 0, lastRerouteId: 0 },
      inputs: [],
      outputs: [{ id: 'o', name: 'IMAGE', type: 'IMAGE' }],
      nodes: [{ ...source, id: 5 }],
      links: [{ id: 1, origin_id: 5, origin_slot: 0, target_id: -20, target_slot: 0, type: 'IMAGE' }],
    };
    const outputs = [{ name: 'IMAGE', type: 'IMAGE', links: [4] }];
    const nodes = [
      { id: 1, type: id, mode: 0, inputs: [], outputs },
      { id: 3, type: 'Merge', mode: 0, inputs: [{ name: 'a', type: 'IMAGE', link: 4 }], outputs: [] },
    ];
    const file = JSON.parse(fileOf(nodes, [[4, 1, 0, 3, 0, 'IMAGE']])) as object;
    const text = JSON.stringify({ ...file, definitions: { subgraphs: [part] } });
    expect(the('link-table', text, { catalog: merging }).message).toContain("doesn't list it");
    const { before, after, left } = fixed(text, merging);
    expect(before).toMatchObject({ '3': { inputs: {} } });
    expect(after).toMatchObject({ '3': { inputs: { a: ['1:5', 0] } } });
    expect(left).toEqual([]);
  });

  it('has links whose origins, targets and slots are texts', () => {
    const text = merged([4], [[4, '1', '0', '3', '0', 'IMAGE']]);
    expect(promptOf(text, merging)).toMatchObject({ '3': { inputs: { a: ['1', 0] } } });
    expect(lines(text, { catalog: merging }).filter((line) => line.includes('link-table'))).toEqual([]);
  });
});

describe('a valid graph', () => {
  it('has no findings about its links', () => {
    expect(lines(graph())).toEqual([]);
  });
});
