import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../../src/core/check/checkWorkflow';
import type { Finding, FixHint } from '../../../../src/core/check/finding';
import { readReplacements } from '../../../../src/core/catalog/nodeReplacements';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { parseJson, strictJson } from '../../../../src/core/json/tree';
import { fixAll, fixesForFinding } from '../../../../src/core/language/edits/fixes';
import { memberEdits } from '../../../../src/core/json/editPlan';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { catalog, chain, graph } from '../sample';

function finding(fix: FixHint, code: Finding['code'] = 'unknown-input'): Finding {
  return { code, severity: 'error', message: '', offset: 0, length: 1, fix };
}

/** Title and new text of each fix of a hint. */
function mended(text: string, fix: FixHint, code?: Finding['code']): [string, string][] {
  const doc = WorkflowDocument.of(text);
  const replacements = readReplacements({
    Old: [
      {
        new_node_id: 'Encode',
        input_mapping: [
          { new_id: 'text', old_id: 'words' },
          { new_id: 'clip', old_id: 'model' },
        ],
        output_mapping: [{ new_idx: 0, old_idx: 1 }],
      },
    ],
  });
  return fixesForFinding(doc, finding(fix, code), { catalog, replacements }).map(({ title, edits }) => {
    return [title, applyEdits(text, edits)];
  });
}

describe('quick fixes', () => {
  it('replace a value', () => {
    const range = { offset: chain.indexOf('20,'), length: 2 };
    expect(mended(chain, { kind: 'replaceText', range, texts: ['100'] })).toEqual([
      ['Change to 100', chain.replace('20,', '100,')],
    ]);
  });

  it('add an input in the layout of the file', () => {
    expect(mended(chain, { kind: 'insertInput', nodeId: '3', input: 'cfg', text: '1.0' })).toEqual([
      ['Add cfg: 1.0', chain.replace('"tiled": false', '"tiled": false,\n      "cfg": 1.0')],
    ]);
  });

  it('offer matching outputs and set the link', () => {
    const broken = chain.replace('["3", 0]', '["8", 0]');
    const found = mended(broken, { kind: 'chooseLink', nodeId: '4', input: 'images', type: 'IMAGE,LATENT' });
    expect(found).toEqual([['Link images to Sampler · LATENT (node 3)', chain]]);
    const missing = chain.replace('"model": ["1", 0],\n      ', '');
    const [first] = mended(missing, { kind: 'chooseLink', nodeId: '3', input: 'model', type: 'MODEL' });
    expect(first?.[1]).toContain('"tiled": false,\n      "model": ["1", 0]\n');
  });

  it('remove and rename inputs', () => {
    expect(mended(chain, { kind: 'removeInput', nodeId: '4', input: 'prefix' })).toEqual([
      ['Remove prefix', chain.replace(', "prefix": "x"', '')],
    ]);
    const names = ['seed', 'steps'];
    expect(
      mended(chain, { kind: 'renameInput', nodeId: '4', input: 'prefix', names }).map(([title]) => title),
    ).toEqual(['Rename to seed', 'Rename to steps']);
  });

  it('remove a node or add what it lacks', () => {
    const nodes = '"1": {"class_type": "A", "inputs": {}}, "2": {"class_type": "A", "inputs": {}}';
    const [removed] = mended(`{${nodes}, "note": 5}`, { kind: 'removeNode', nodeId: 'note' });
    expect(removed?.[1]).toBe(`{${nodes}}`);
    expect(mended(chain, { kind: 'addMeta', nodeId: '4', title: 'Keep' })[0]?.[1]).toContain(
      '"prefix": "x" },\n    "_meta": {"title": "Keep"}\n',
    );
  });

  it('replace a node type with its inputs and outgoing links', () => {
    const text =
      '{"1": {"class_type": "Old", "inputs": {"words": "x", "extra": 1, "model": ["3", 0]}}, "2": {"class_type": "Save", "inputs": {"images": ["1", 1]}}}';
    expect(mended(text, { kind: 'replaceNode', nodeId: '1', classType: 'Encode' })).toEqual([
      [
        'Replace with Encode',
        '{"1": {"class_type": "Encode", "inputs": {"text": "x", "clip": ["3", 0]}}, "2": {"class_type": "Save", "inputs": {"images": ["1", 0]}}}',
      ],
    ]);
  });

  it('remove the ineffective one of two equal names', () => {
    const text = '{"1": {"class_type": "A", "inputs": {"a": 1, "a": 2}}}';
    const range = { offset: text.lastIndexOf('"a"'), length: 3 };
    expect(mended(text, { kind: 'removeDuplicate', range })).toEqual([
      ['Remove the Ignored "a"', '{"1": {"class_type": "A", "inputs": {"a": 2}}}'],
      ['Remove the Last "a"', '{"1": {"class_type": "A", "inputs": {"a": 1}}}'],
    ]);
  });
});

describe('a file that the server lacks', () => {
  const inPrompt = (name: string): string =>
    `{"1": {"class_type": "Load", "inputs": {"image": ${JSON.stringify(name)}}}, "2": {"class_type": "Save", "inputs": {"images": ["1", 0], "prefix": "x"}}}`;
  const inGraph = (name: string): string =>
    JSON.stringify({
      nodes: [
        {
          id: 1,
          type: 'Load',
          outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }],
          widgets_values: [name, 'image'],
        },
        {
          id: 2,
          type: 'Save',
          inputs: [{ name: 'images', type: 'IMAGE,LATENT', link: 1 }],
          widgets_values: ['x'],
        },
      ],
      links: [[1, 1, 0, 2, 0, 'IMAGE']],
      version: 0.4,
    });

  it.each([
    ['a prompt', inPrompt],
    ['a graph', inGraph],
  ])('is replaced by one with the same name or a similar one: %s', (_, text) => {
    for (const [name, isSure] of [
      ['cats.png', false],
      ['CAT.png', true],
      ['pets/cat.png', true],
    ] as const) {
      const doc = WorkflowDocument.of(text(name));
      const found = checkWorkflow(doc, { catalog }).findings.filter(({ severity }) => severity !== 'hint');
      expect(found.map(({ code }) => code)).toEqual(['file-not-on-server']);
      const made = found.flatMap((each) => fixesForFinding(doc, each, { catalog }));
      expect(made.map(({ title, preferred }) => [title, preferred])).toEqual([
        ['Change to "cat.png"', isSure],
      ]);
      const after = applyEdits(doc.text, made[0]?.edits ?? []);
      expect(after).toBe(text('cat.png'));
      expect(checkWorkflow(WorkflowDocument.of(after), { catalog }).findings).toEqual([]);
    }
  });

  it('stays if nothing is like it', () => {
    const doc = WorkflowDocument.of(inPrompt('holiday.png'));
    const { findings } = checkWorkflow(doc, { catalog });
    expect(findings.flatMap((each) => fixesForFinding(doc, each, { catalog }))).toEqual([]);
  });
});

describe('an option that the server lacks', () => {
  it('can be replaced by the only one there is, but not by Fix All', () => {
    const one = Catalog.fromDefinitions({
      Show: { input: { required: { style: [['plain']] } }, output: [], output_node: true },
    });
    const text = '{"1": {"class_type": "Show", "inputs": {"style": "fancy"}}}';
    const doc = WorkflowDocument.of(text);
    const [finding] = checkWorkflow(doc, { catalog: one }).findings;
    if (!finding) throw new Error('no finding');
    expect(
      fixesForFinding(doc, finding).map(({ edits, preferred }) => [applyEdits(text, edits), preferred]),
    ).toEqual([[text.replace('fancy', 'plain'), false]]);
    expect(fixAll(doc, [finding])).toEqual([]);
  });

  it.each([
    ['a similar name', 'xl-base.safetensors', [], 'option-unknown'],
    ['the same name in another folder', 'xl/model.safetensors', [], 'option-in-other-folder'],
    ['one of two spellings', 'SD/MODEL.safetensors', ['SD/Model.safetensors'], 'option-spelling'],
  ])('and may be another model, so Fix All leaves it: %s', (_, name, more, code) => {
    const models = Catalog.fromDefinitions({
      Show: {
        input: { required: { model: [['sd/model.safetensors', 'sd-base.safetensors', ...more]] } },
        output: [],
        output_node: true,
      },
    });
    const text = JSON.stringify({ 1: { class_type: 'Show', inputs: { model: name } } });
    const doc = WorkflowDocument.of(text);
    const { findings } = checkWorkflow(doc, { catalog: models });
    expect(findings.map((each) => each.code)).toContain(code);
    expect(findings.flatMap((each) => fixesForFinding(doc, each))).not.toEqual([]);
    expect(fixAll(doc, findings)).toEqual([]);
  });
});

describe('fix all', () => {
  it('applies the safe fixes of all findings in one edit', () => {
    const text = chain
      .replace('"steps": 20', '"steps": 500')
      .replace('"prefix": "x"', '"prefix": "x", "odd": 1, "old": 2')
      .replace('"text": "a cat", ', '');
    const doc = WorkflowDocument.of(text);
    const { findings } = checkWorkflow(doc, { catalog });
    const after = applyEdits(text, fixAll(doc, findings, { catalog }));
    expect(after).toContain('"steps": 100');
    expect(after).toContain('"prefix": "x" }');
    expect(after).toContain('"text": ""');
    const left = checkWorkflow(WorkflowDocument.of(after), { catalog }).findings.filter(
      ({ severity }) => severity === 'error',
    );
    expect(left).toEqual([]);
  });
});

describe('fixes of a graph', () => {
  it('change a value together with its copy by name', () => {
    const values = '"widgets_values_named": {"steps": 500}, "widgets_values": [7, "randomize", 500';
    const text = graph.replace('"widgets_values": [7, "randomize", 20', values);
    const doc = WorkflowDocument.of(text);
    const { findings } = checkWorkflow(doc, { catalog });
    expect(applyEdits(text, fixAll(doc, findings, { catalog }))).toBe(text.replaceAll('500', '100'));
  });

  it('remove the IDs of missing links, as the ComfyUI editor does', () => {
    const text = graph.replace('[1, 1, 0, 2, 0, "MODEL"],', '');
    const doc = WorkflowDocument.of(text);
    const { findings } = checkWorkflow(doc);
    expect(findings.map(({ code }) => code)).toEqual(['dangling-link']);
    const after = applyEdits(text, fixAll(doc, findings));
    expect(after).toBe(text.replace('"link": 1 ', '"link": null '));
    expect(checkWorkflow(WorkflowDocument.of(after)).findings).toEqual([]);
  });
});

describe('changes of the members of an object', () => {
  it('result in JSON with exactly the intended members', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 });
    const added = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 });
    fc.assert(
      fc.property(names, fc.nat(), added, fc.constantFrom(undefined, 2, '\t'), (there, mask, add, indent) => {
        const strict = JSON.stringify(
          { 1: Object.fromEntries(there.map((name) => [name, name])) },
          undefined,
          indent,
        );
        const isLoose = there.length > 0 && mask % 3 === 0;
        const text = isLoose ? strict.replace(/(\s*\}\s*\})$/, ',$1') : strict;
        const { root } = parseJson(strictJson(text));
        const object = root?.kind === 'object' ? root.get('1') : undefined;
        if (object?.kind !== 'object') throw new Error('no object');
        const remove = new Set(object.properties.filter((_, index) => (mask >> index) % 2 === 1));
        const edits = memberEdits(text, object, {
          remove,
          add: add.map((name) => ({ name, valueText: '1' })),
        });
        const after = JSON.parse(strictJson(applyEdits(text, edits))) as Record<
          string,
          Record<string, unknown>
        >;
        const kept = there.filter((_, index) => (mask >> index) % 2 === 0);
        expect(Object.keys(after['1'] ?? {})).toEqual([...kept, ...add]);
      }),
    );
  });
});
