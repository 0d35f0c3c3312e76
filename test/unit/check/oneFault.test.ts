import { describe, expect, it } from 'vitest';

import type { CheckContext } from '../../../src/core/check/checkContext';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { applyEdits } from '../../../src/core/json/textEdit';
import { fixesForFinding } from '../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { catalog, chain } from '../language/sample';
import { graph, links } from './graphTexts';
import { catalog as server } from './checkTexts';

/** Severity and code of every finding but hints, which are marks in the text. */
function reported(text: string, context: CheckContext): string[] {
  return checkWorkflow(WorkflowDocument.of(text), { serverName: 'Home', ...context })
    .findings.filter(({ severity }) => severity !== 'hint')
    .map(({ severity, code }) => `${severity} ${code}`);
}

describe('one fault of a graph is one finding', () => {
  const inGraph = (changes: Parameters<typeof graph>[0], context: CheckContext = {}): string[] =>
    reported(graph(changes), { catalog: server, ...context });
  const [toSampler, toSave] = links;

  it.each([
    ['a link that is not in the list', { links: [toSampler] }, 'error dangling-link'],
    [
      'a link from a node that is gone',
      { links: [toSampler, [2, 8, 0, 3, 0, 'IMAGE']] },
      'error graph-not-convertible',
    ],
    ['a link to a node that is gone', { links: [toSampler, [2, 2, 0, 8, 0, 'IMAGE']] }, 'warning link-table'],
    [
      'a link from an output of another type',
      { links: [[1, 1, 1, 2, 0, 'MODEL'], toSave] },
      'error link-type',
    ],
    ['a node type that the server lacks', { sampler: { type: 'Samplr' } }, 'error unknown-class'],
    ['a muted node that others need', { loader: { mode: 2 } }, 'error muted-source'],
    ['an ID that is used twice', { save: { id: 2 } }, 'error duplicate-node'],
    [
      'values that are shifted by one',
      { sampler: { widgets_values: ['x', 20, 'fixed', 7, 1, true, 'normal'] } },
      'error widget-shifted',
    ],
  ])('%s', (_, changes, expected) => {
    expect(inGraph({})).toEqual([]);
    expect(inGraph(changes)).toEqual([expected]);
  });

  it('and what it explains is reported if it is not', () => {
    expect(inGraph({ links: [toSampler] }, { suppressed: new Set(['dangling-link']) })).toEqual([
      'error missing-input',
    ]);
    expect(inGraph({ loader: { mode: 2 } }, { severities: { 'muted-source': 'off' } })).toEqual([
      'error missing-input',
    ]);
  });

  it('however many inputs need a muted node, and unmuting it is a fix', () => {
    const inputs = [{ name: 'images', type: 'IMAGE', link: 3 }];
    const more = [{ id: 4, type: 'Save', mode: 0, inputs, outputs: [], widgets_values: ['more'] }];
    const both = [toSampler, toSave, [3, 2, 0, 4, 0, 'IMAGE']];
    const muted = graph({ sampler: { mode: 2 }, more, links: both });
    expect(reported(muted, { catalog: server })).toEqual(['error muted-source']);
    const doc = WorkflowDocument.of(muted);
    const mended = checkWorkflow(doc, { catalog: server }).findings.flatMap((each) =>
      fixesForFinding(doc, each),
    );
    expect(mended.map(({ title, preferred }) => [title, preferred])).toEqual([
      ['Unmute Sampler (node 2)', false],
    ]);
    const after = applyEdits(muted, mended[0]?.edits ?? []);
    expect(after).toBe(graph({ more, links: both }));
    expect(reported(after, { catalog: server })).toEqual([]);
  });

  it('at the node and input that the server would name', () => {
    const text = graph({ links: [toSampler] });
    const [finding] = checkWorkflow(WorkflowDocument.of(text), { catalog: server }).findings.filter(
      ({ code }) => code === 'dangling-link',
    );
    expect(finding).toMatchObject({ nodeId: '3', input: 'images' });
  });
});

describe('one fault of a prompt is one finding', () => {
  const another = '"5": { "class_type": "Save", "inputs": { "prefix": "y" } },\n  "4": {';

  it.each([
    ['a link to a node that is gone', '["2", 0]', '["8", 0]', 'error link-to-missing-node'],
    ['a mistyped ID that another node has', '"3": {', '"2": {', 'error duplicate-node'],
    ['a mistyped ID that two links name', '"1": {', '"2": {', 'error duplicate-node'],
    ['a mistyped ID that no node has', '"3": {', '"33": {', 'error link-to-missing-node'],
    ['a node type that the server lacks', '"Sampler"', '"Samplr"', 'error unknown-class'],
    ['a misspelled input', '"steps": 20', '"stepz": 20', 'error missing-input'],
    ['a link back, to an input of another type', '["1", 1]', '["3", 0]', 'error link-type'],
    ['a link back', '"tiled": false', '"tiled": false, "latent": ["3", 0]', 'error cycle'],
    [
      'an entry that is no node',
      '"4": {',
      '"note": { "author": "me" },\n  "4": {',
      'error class-type-missing',
    ],
    ['an entry that is a text', '"4": {', '"extraMetadata": "{}",\n  "4": {', 'error not-a-node'],
    ['an entry with notes', '"4": {', '"_meta": { "author": "me" },\n  "4": {', 'error not-a-node'],
    ['an output without its input, beside another one', '"4": {', another, 'warning missing-input'],
  ])('%s', (_, right, wrong, expected) => {
    expect(chain).toContain(right);
    expect(reported(chain.replace(right, wrong), { catalog })).toEqual([expected]);
  });

  it.each([
    ['a misspelled input', '"steps": 20', '"stepz": 20', 'missing-input', 'warning unknown-input'],
    ['a link back', '["1", 1]', '["3", 0]', 'link-type', 'error cycle'],
    ['another output without its input', '"4": {', another, 'missing-input', 'warning output-dropped'],
  ] as const)('and another one if that is not reported: %s', (_, right, wrong, code, expected) => {
    const text = chain.replace(right, wrong);
    expect(reported(text, { catalog, severities: { [code]: 'off' } })).toEqual([expected]);
    expect(reported(text, { catalog, suppressed: new Set([code]) })).toEqual([expected]);
  });

  it('which for a misspelled input is at its name, with the right one as a fix', () => {
    const text = chain.replace('"steps": 20', '"stepz": 20');
    const doc = WorkflowDocument.of(text);
    const [finding] = checkWorkflow(doc, { catalog }).findings;
    if (!finding) throw new Error('no finding');
    expect(text.slice(finding.offset, finding.offset + finding.length)).toBe('"stepz"');
    expect(finding.message).toContain('"steps"');
    expect(fixesForFinding(doc, finding, { catalog }).map(({ edits }) => applyEdits(text, edits))).toEqual([
      chain,
    ]);
  });

  it('which for a mistyped ID offers the one that links name, for either node', () => {
    const text = chain.replace('"3": {', '"2": {');
    const doc = WorkflowDocument.of(text);
    const [finding] = checkWorkflow(doc, { catalog }).findings.filter(({ severity }) => severity === 'error');
    if (!finding) throw new Error('no finding');
    const made = fixesForFinding(doc, finding, { catalog });
    expect(made.every(({ preferred }) => !preferred)).toBe(true);
    expect(made.map(({ edits }) => applyEdits(text, edits))).toContain(chain);
  });
});
