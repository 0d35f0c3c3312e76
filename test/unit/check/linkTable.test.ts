import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { applyEdits } from '../../../src/core/json/textEdit';
import { fixAll, fixesForFinding } from '../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { check, lines, the } from './checkTexts';
import type { Slot } from './graphTexts';
import { autogrow, dynamicCombo } from '../../support/dynamicInputs';
import { promptOfGraph } from '../../support/sentInputs';

const choosing = {
  Source: { input: {}, output: ['IMAGE'] },
  Pick: {
    input: {
      required: {
        prompt: ['STRING', {}],
        model: dynamicCombo({
          some: { images: autogrow({ image: ['IMAGE', {}] }, { prefix: 'image', max: 9 }) },
          none: {},
        }),
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

/** A link from a source to a slot of the node 3. */
const link = (id: number, origin: number, slot: number): unknown[] => [id, origin, 0, 3, slot, 'IMAGE'];

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
  return { before: promptOfGraph(text, catalog), after: promptOfGraph(now, catalog), left, text: now };
}

/** The text after the fix of the first finding about links. */
function oneFixed(text: string, catalog: Catalog): string {
  const finding = check(text, { catalog }).findings.find(({ code }) => code === 'link-table');
  const [fix] = finding ? fixesForFinding(WorkflowDocument.of(text), finding) : [];
  return applyEdits(text, fix?.edits ?? []);
}

describe('the list of links', () => {
  it.each<[string, (number | null)[], unknown[][], string[]]>([
    ['agrees with its inputs', [4, 5], [link(4, 1, 0), link(5, 2, 1)], []],
    [
      'has two links for one slot',
      [4],
      [link(4, 1, 0), link(5, 2, 0)],
      ['information link-table [5,2,0,3,0,"IMAGE"]'],
    ],
    ['has a link that no input names', [], [link(4, 1, 1)], ['information link-table [4,1,0,3,1,"IMAGE"]']],
    ['has a link beyond the last slot', [], [link(4, 1, 7)], ['information link-table [4,1,0,3,7,"IMAGE"]']],
    ['names another slot than its input', [4], [link(4, 1, 1)], ['information link-table 1']],
    ['has two named links for one slot', [4, 5], [link(4, 1, 1), link(5, 2, 1)], ['warning link-table 1']],
    ['has one link for two inputs', [4, 4], [link(4, 1, 0)], ['warning link-table 4']],
    ['has one ID for two links', [4, 4], [link(4, 1, 0), link(4, 2, 1)], ['warning link-table 4']],
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
    const text = merged([5], [link(5, 2, 0)], [second]);
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
    expect(file.links).toEqual([link(5, 2, 0), [10, 2, 0, 4, 0, 'IMAGE']]);
    expect(file.nodes[3]?.inputs[0]?.link).toBe(10);
    expect(file.last_link_id).toBe(10);
  });

  it('is named by a node without an ID: no fix, to which no link could lead', () => {
    const inputs = [{ name: 'a', type: 'IMAGE', link: 5 }];
    const second = { id: 9, type: 'Source', mode: 0, outputs: [] };
    const nameless = { type: 'Merge', mode: 0, inputs, outputs: [] };
    const text = merged([5], [link(5, 2, 0)], [second, nameless]);
    expect(the('link-table', text, { catalog: merging }).fix).toBeUndefined();
    const { text: now } = fixed(text, merging);
    expect(now).toBe(text);
  });

  it('leads to nodes without inputs: the fix writes them', () => {
    const text = fileOf(
      [source, other, { id: 3, type: 'Merge', mode: 0, outputs: [] }],
      [link(4, 1, 0), link(5, 2, 1)],
    );
    expect(the('link-table', text, { catalog: merging }).message).toContain('Links lead to Merge (node 3)');
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
    const text = fileOf([source, pick, second], [link(4, 1, 0)]);
    const lost = check(text, { catalog }).findings.find(({ message }) => message.includes('is lost'));
    expect(lost && fixesForFinding(WorkflowDocument.of(text), lost)).toEqual([]);
    const { before, text: now } = fixed(text, catalog);
    expect(before).toMatchObject({ '5': { inputs: { a: ['1', 0] } } });
    expect(promptOfGraph(oneFixed(now, catalog), catalog)).toEqual(before);
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
    expect(promptOfGraph(after, branches)).toEqual(promptOfGraph(text, branches));
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

  describe('to the output of a subgraph', () => {
    const fileWith = (linkIds: unknown, ids: readonly unknown[]): string => {
      const part = {
        ...{ id: '11111111-2222-4333-8444-555555555555', name: 'Part', version: 1, inputs: [] },
        outputs: [{ id: 'o', name: 'IMAGE', type: 'IMAGE', linkIds }],
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
      const file = JSON.parse(fileOf(nodes, [link(4, 1, 0)])) as object;
      return JSON.stringify({ ...file, definitions: { subgraphs: [part] } });
    };

    it.each<[string, unknown[], (string | number)[]]>([
      ['texts', ['a', 'b'], ['a']],
      ['numbers and texts', ['a', 7], ['a']],
      ['repeated', [4, 4], [4]],
    ])('lead two whose IDs are %s: the fix lists the one that counts', (_, ids, kept) => {
      const { before, after, left, text: now } = fixed(fileWith([...ids].reverse(), ids), merging);
      expect(after).toEqual(before);
      expect(left).toEqual([]);
      const { definitions } = JSON.parse(now) as {
        definitions: { subgraphs: { outputs: { linkIds: unknown[] }[] }[] };
      };
      expect(new Set(definitions.subgraphs[0]?.outputs[0]?.linkIds)).toEqual(new Set(kept));
    });

    it('leads one that it does not list: the fix lists it', () => {
      const text = fileWith(undefined, [1]);
      expect(the('link-table', text, { catalog: merging }).message).toContain("doesn't list it");
      const { before, after, left } = fixed(text, merging);
      expect(before).toMatchObject({ '3': { inputs: {} } });
      expect(after).toMatchObject({ '3': { inputs: { a: ['1:5', 0] } } });
      expect(left).toEqual([]);
    });
  });
});
