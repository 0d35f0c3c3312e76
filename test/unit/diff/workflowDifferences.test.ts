import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { differencesJson } from '../../../src/core/diff/differencesJson';
import { differencesMarkdown, differencesText, valueTexts } from '../../../src/core/diff/differenceWords';
import { workflowMeaning } from '../../../src/core/diff/meaning';
import { normalForm } from '../../../src/core/diff/normalForm';
import { workflowDifferences } from '../../../src/core/diff/workflowDifferences';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const catalog = Catalog.fromDefinitions({
  Load: { input: { required: { name: [['a', 'b'], {}] } }, output: ['MODEL'], display_name: 'Load Model' },
  Sample: {
    input: {
      required: { model: ['MODEL'], seed: ['INT', {}], cfg: ['FLOAT', { default: 7.0 }] },
    },
    output: ['IMAGE'],
  },
  Save: {
    input: { required: { images: ['IMAGE'], prefix: ['STRING', { default: 'out' }] } },
    output_node: true,
  },
});

const load = { id: 1, type: 'Load', pos: [0, 0], widgets_values: ['a'] };
const sample = {
  id: 2,
  type: 'Sample',
  pos: [300, 0],
  inputs: [{ name: 'model', type: 'MODEL', link: 1 }],
  widgets_values: [5, 'fixed', 7],
};
const save = {
  id: 3,
  type: 'Save',
  pos: [600, 0],
  inputs: [{ name: 'images', type: 'IMAGE', link: 2 }],
  widgets_values: ['out'],
};
const links = [
  [1, 1, 0, 2, 0, 'MODEL'],
  [2, 2, 0, 3, 0, 'IMAGE'],
];

type Node = Readonly<Record<string, unknown>>;

function graphOf(nodes: readonly Node[], rows: readonly unknown[] = links): string {
  return JSON.stringify({ nodes, links: rows, version: 0.4 });
}

const before = graphOf([load, sample, save]);

function compared(one: string, other: string, definitions = catalog) {
  const documents = [one, other].map((text) => WorkflowDocument.of(text));
  const asPrompt = documents.some(({ graph }) => graph === undefined);
  const [old, now] = documents.map((document) => workflowMeaning(document, definitions, asPrompt));
  const workflows = { before: old ?? new Map(), after: now ?? new Map() };
  return { workflows, differences: workflowDifferences(workflows.before, workflows.after) };
}

function changes(after: string, earlier = before, definitions = catalog): unknown {
  return (
    JSON.parse(differencesJson(compared(earlier, after, definitions).differences)) as { changes: unknown }
  ).changes;
}

const pair = (id: string, type: string) => ({ before: id, after: id, type });

describe('the differences between two workflows', () => {
  it('are one change per value, title, mode and link', () => {
    const after = graphOf(
      [
        { ...load, title: 'The model' },
        { ...sample, mode: 4, widgets_values: [6, 'fixed', 7.0] },
        { ...save, inputs: [{ name: 'images', type: 'IMAGE', link: null }] },
      ],
      links.slice(0, 1),
    );
    expect(changes(after)).toEqual([
      { kind: 'retitled', node: pair('1', 'Load'), before: 'Load Model', after: 'The model' },
      { kind: 'mode', node: pair('2', 'Sample'), before: 0, after: 4 },
      { kind: 'value', node: pair('2', 'Sample'), input: 'seed', before: 5, after: 6 },
      { kind: 'link', node: pair('3', 'Save'), input: 'images', before: ['2', 0], after: null },
    ]);
  });

  it('name a node that was added or removed, without its values and links', () => {
    const without = graphOf([load, sample], links.slice(0, 1));
    expect(changes(without)).toEqual([{ kind: 'removed', node: { before: '3', after: null, type: 'Save' } }]);
    expect(changes(before, without)).toEqual([
      { kind: 'added', node: { before: null, after: '3', type: 'Save' } },
    ]);
  });

  it('keep every digit of a seed', () => {
    const [one, other] = ['18446744073709551615', '18446744073709551614'].map((seed) =>
      before.replace('[5,', `[${seed},`),
    );
    expect(differencesJson(compared(one ?? '', other ?? '').differences)).toContain(
      '"before":18446744073709551615,"after":18446744073709551614',
    );
  });

  it('are none for a file that moved, was renumbered, or counts its numbers otherwise', () => {
    const other = (id: unknown): unknown => ({ 1: 71, 2: 72, 3: 73 })[id as number];
    const renumbered = graphOf(
      [load, sample, save].map((node) => ({ ...node, id: other(node.id), pos: [9, 9] })),
      links.map(([id, from, slot, to, input, type]) => [id, other(from), slot, other(to), input, type]),
    );
    expect(changes(renumbered)).toEqual([]);
    expect(changes(before.replace(',7]', ',7.0]'))).toEqual([]);
    const moved = compared(before, graphOf([{ ...load, pos: [50, 0] }, sample, save])).differences;
    expect(moved).toMatchObject({ changes: [], layout: 1 });
  });

  it('count notes and reroutes that moved, which no prompt has', () => {
    const drawn = (y: number): string => {
      const note = { id: 8, type: 'Note', widgets_values: ['words'], pos: [0, y] };
      const reroute = { id: 9, type: 'Reroute', pos: [9, y] };
      return graphOf([load, sample, save, note, reroute]);
    };
    expect(compared(drawn(0), drawn(50)).differences).toMatchObject({ changes: [], layout: 2 });
    expect(compared(drawn(0), drawn(0)).differences.layout).toBe(0);
  });

  it('are none between a graph and its prompt, in which nodes that do not run are missing', () => {
    const prompt = {
      1: { class_type: 'Load', inputs: { name: 'a' }, _meta: { title: 'Load Model' } },
      2: { class_type: 'Sample', inputs: { model: ['1', 0], seed: 5, cfg: 7.0 } },
      3: { class_type: 'Save', inputs: { images: ['2', 0], prefix: 'out' } },
    };
    const muted = { id: 9, type: 'Load', mode: 2, widgets_values: ['b'] };
    const note = { id: 8, type: 'Note', widgets_values: ['words'] };
    const graph = graphOf([load, sample, save, muted, note]);
    expect(changes(JSON.stringify(prompt), graph)).toEqual([]);
  });

  it('follow reroutes to what is behind them', () => {
    const reroute = {
      id: 4,
      type: 'Reroute',
      inputs: [{ name: '', type: '*', link: 1 }],
      outputs: [{ type: '*' }],
    };
    const rows = [
      [1, 1, 0, 4, 0, 'MODEL'],
      [3, 4, 0, 2, 0, 'MODEL'],
      [2, 2, 0, 3, 0, 'IMAGE'],
    ];
    const inputs = [{ name: 'model', type: 'MODEL', link: 3 }];
    expect(changes(graphOf([load, { ...sample, inputs }, save, reroute], rows))).toEqual([]);
  });
});

describe('differences without definitions', () => {
  const values = ['a.safetensors', 5, true, 20, 'euler'];
  const names = ['model_name', 'seed', 'control_after_generate', 'steps', 'sampler'];
  const named = (list: readonly unknown[]): object => ({
    widgets_values: list,
    widgets_values_named: Object.fromEntries(names.map((name, index) => [name, list[index]])),
  });
  const node = (more: object): string =>
    graphOf([{ id: 1, type: 'Unknown', outputs: [{ name: 'MODEL', type: 'MODEL' }], ...more }], []);
  const nameless = node({ widgets_values: values });
  const ofNames = (after: string, earlier: string): unknown =>
    changes(after, earlier, Catalog.fromDefinitions({}));

  it('compare values by position where only one file names them', () => {
    const saved = node(named(values.with(2, 'randomize')));
    expect(ofNames(saved, nameless)).toEqual([]);
    expect(ofNames(nameless, saved)).toEqual([]);
    const edited = node(named(values.with(2, 'randomize').with(3, 30)));
    expect(ofNames(edited, nameless)).toEqual([
      { kind: 'value', node: pair('1', 'Unknown'), input: 'steps', before: 20, after: 30 },
    ]);
  });

  it('count a value that one file lacks as its default', () => {
    const [one, other] = [
      node(named(values)),
      node({ widgets_values_named: { model_name: 'a.safetensors' } }),
    ];
    expect(ofNames(one, other)).toEqual([]);
  });

  it('find the values of a prompt among those of a graph without names', () => {
    const prompt = (steps: number): string =>
      JSON.stringify({
        1: {
          class_type: 'Unknown',
          inputs: { model_name: 'a.safetensors', seed: 5, steps, sampler: 'euler' },
          _meta: { title: 'Shown by the page' },
        },
      });
    expect(ofNames(prompt(20), nameless)).toEqual([]);
    expect(ofNames(prompt(30), nameless)).toEqual([
      { kind: 'value', node: pair('1', 'Unknown'), input: 'steps', before: 20, after: 30 },
    ]);
  });
});

describe('differences in words', () => {
  const after = graphOf([load, { ...sample, widgets_values: [6, 'fixed', 7] }], links.slice(0, 1));

  it('list nodes with their changes', () => {
    const { differences, workflows } = compared(before, after);
    expect(differencesText(differences, workflows)).toBe('~ Sample (2)\n    seed: 5 → 6\n- Save (3)\n');
    expect(differencesMarkdown(differences, workflows)).toBe(
      '- **Changed** `Sample (2)`\n  - `seed: 5 → 6`\n- **Removed** `Save (3)`\n',
    );
  });

  it('have one arrow, whatever a file says', () => {
    const { differences, workflows } = compared(
      before,
      graphOf([{ ...load, title: 'a → b', widgets_values: ['x → y'] }, sample, save]),
    );
    expect(differencesText(differences, workflows).split('\n').slice(1, -1)).toEqual([
      String.raw`    title: "Load Model" → "a \u2192 b"`,
      String.raw`    name: "a" → "x \u2192 y"`,
    ]);
  });

  it('cannot be ended by what a file says', () => {
    const { differences, workflows } = compared(
      before,
      graphOf([{ ...load, title: '`x` **y**' }, sample, save]),
    );
    expect(differencesMarkdown(differences, workflows)).toContain('``');
    expect(differencesMarkdown(differences, workflows)).not.toMatch(/^ {2}- `[^`]*`x`/m);
  });
});

describe('the normal form', () => {
  it('is one line per value, whatever a name contains', () => {
    const odd = JSON.stringify({ 1: { class_type: 'A\n2: B', inputs: { 'a\n  b = 1': 2 } } });
    expect(normalForm(workflowMeaning(WorkflowDocument.of(odd), catalog, false))).toBe(
      '1: "A\\n2: B"\n  "a\\n  b = 1" = 2\n',
    );
  });

  it('has a line per value, in the order of the IDs, and nothing of the layout', () => {
    const text = normalForm(workflowMeaning(WorkflowDocument.of(before), catalog, false));
    expect(text).toBe(
      [
        '1: Load "Load Model"',
        '  name = "a"',
        '',
        '2: Sample',
        '  cfg = 7',
        '  control_after_generate = "fixed"',
        '  model ← 1.0',
        '  seed = 5',
        '',
        '3: Save',
        '  images ← 2.0',
        '  prefix = "out"',
        '',
      ].join('\n'),
    );
  });
});

it.each([
  ['a short text', 'a cat', 'a dog', ['"a cat"', '"a dog"']],
  [
    'a long text, with words around what differs',
    `${'word '.repeat(30)}a red cat on a mat ${'more '.repeat(30)}`,
    `${'word '.repeat(30)}a blue cat on a mat ${'more '.repeat(30)}`,
    [/^…"(word ){3}word a red cat on a mat( more)*"…$/, /^…"(word ){3}word a blue cat on a mat( more)*"…$/],
  ],
  ['its end', `${'x '.repeat(40)}one`, `${'x '.repeat(40)}two`, [/^…"x [x ]*one"$/, /^…"x [x ]*two"$/]],
])('shows of %s the part that differs', (_, before, after, [one = '', other = '']) => {
  const [was, now] = valueTexts({ before, after }, JSON.stringify);
  if (typeof one === 'string') expect([was, now]).toEqual([one, other]);
  else {
    expect(was).toMatch(one);
    expect(now).toMatch(other);
  }
});
