import { describe, expect, it } from 'vitest';

import { checkWorkflow } from '../../../../src/core/check/checkWorkflow';
import type { Finding } from '../../../../src/core/check/finding';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { fixAll, fixesForFinding } from '../../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { catalog as server } from '../../check/checkTexts';
import { graph, links } from '../../check/graphTexts';
import { catalog, chain } from '../sample';

type Catalog = typeof catalog;

function loud(text: string, context: { catalog: Catalog }): readonly Finding[] {
  const { findings } = checkWorkflow(WorkflowDocument.of(text), context);
  return findings.filter(({ severity }) => severity !== 'hint');
}

interface Tried {
  readonly title: string;
  readonly preferred: boolean;
  readonly after: string;
  /** The codes of the findings that are left. */
  readonly left: readonly string[];
}

/** Each fix of the only finding of a text, applied. */
function tried(text: string, code: Finding['code'], known: Catalog = catalog): Tried[] {
  const [finding, ...others] = loud(text, { catalog: known });
  expect([finding?.code, others]).toEqual([code, []]);
  if (!finding) return [];
  return fixesForFinding(WorkflowDocument.of(text), finding, { catalog: known }).map(
    ({ title, preferred, edits }) => {
      const after = applyEdits(text, edits);
      return { title, preferred, after, left: loud(after, { catalog: known }).map((each) => each.code) };
    },
  );
}

/** Two upscalers that use each other's output; either could use the sampler's, or do without in the second case. */
const upscalers = `{
  "1": { "class_type": "Checkpoint", "inputs": { "ckpt_name": "a.safetensors" } },
  "2": { "class_type": "Encode", "inputs": { "text": "a cat", "clip": ["1", 1] } },
  "5": { "class_type": "Upscale", "inputs": { "model": ["1", 0], "latent": ["6", 0] }, "_meta": { "title": "Once" } },
  "6": { "class_type": "Upscale", "inputs": { "model": ["1", 0], "latent": ["5", 0] }, "_meta": { "title": "Twice" } },
  "3": {
    "class_type": "Sampler",
    "inputs": { "model": ["1", 0], "positive": ["2", 0], "seed": 7, "steps": 20, "sampler": "euler", "tiled": false }
  },
  "4": { "class_type": "Save", "inputs": { "images": ["6", 0], "prefix": "x" } }
}
`;

describe('a cycle of a prompt', () => {
  it('of one link is opened there', () => {
    const text = chain.replace('"tiled": false', '"tiled": false,\n      "latent": ["3", 0]');
    expect(tried(text, 'cycle')).toEqual([
      { title: 'Remove the Link to latent of Sampler (node 3)', preferred: true, after: chain, left: [] },
    ]);
    const doc = WorkflowDocument.of(text);
    expect(applyEdits(text, fixAll(doc, loud(text, { catalog }), { catalog }))).toBe(chain);
  });

  it('is opened at each of its links, by the output that fits, and none is preferred', () => {
    expect(
      tried(upscalers, 'cycle').map(({ title, preferred, left }) => ({ title, preferred, left })),
    ).toEqual([
      { title: 'Link latent of Once (node 5) to Sampler · LATENT (node 3)', preferred: false, left: [] },
      { title: 'Link latent of Twice (node 6) to Sampler · LATENT (node 3)', preferred: false, left: [] },
    ]);
    const doc = WorkflowDocument.of(upscalers);
    expect(fixAll(doc, loud(upscalers, { catalog }), { catalog })).toEqual([]);
  });

  it('is opened where a node can do without the link, if the others are needed', () => {
    const text = upscalers
      .replace('"tiled": false', '"tiled": false, "latent": ["6", 0]')
      .replace(
        '"latent": ["6", 0] }, "_meta": { "title": "Once" }',
        '"latent": ["3", 0] }, "_meta": { "title": "Once" }',
      );
    const found = tried(text, 'cycle');
    expect(found.map(({ title, preferred }) => [title, preferred])).toEqual([
      ['Remove the Link to latent of Once (node 5)', false],
      ['Remove the Link to latent of Sampler (node 3)', true],
      ['Remove the Link to latent of Twice (node 6)', false],
    ]);
    expect(found.find(({ preferred }) => preferred)?.left).toEqual([]);
  });
});

describe('a link of a graph', () => {
  const [toSampler, toSave] = links;
  const samplerInputs = [
    { name: 'model', type: 'MODEL', link: 1 },
    { name: 'image', type: 'IMAGE', link: 3 },
  ];
  const joined = graph({ sampler: { inputs: samplerInputs } });

  it('that closes a cycle is removed with all that names it', () => {
    const outputs = [{ name: 'IMAGE', type: 'IMAGE', links: [2, 3] }];
    const text = graph({
      sampler: { inputs: samplerInputs, outputs },
      links: [toSampler, toSave, [3, 2, 0, 2, 1, 'IMAGE']],
    });
    expect(tried(text, 'cycle', server)).toEqual([
      {
        title: 'Remove the Link to image of Sampler (node 2)',
        preferred: true,
        after: joined.replace('"link":3', '"link":null'),
        left: [],
      },
    ]);
  });

  it('that closes a cycle of reroutes is removed, whichever the user picks', () => {
    const reroute = (id: number, link: number, used: number[]): Readonly<Record<string, unknown>> => ({
      id,
      type: 'Reroute',
      inputs: [{ name: '', type: '*', link }],
      outputs: [{ name: '', type: '*', links: used }],
    });
    const text = graph({
      sampler: { inputs: samplerInputs },
      more: [reroute(5, 4, [3, 5]), reroute(6, 5, [4])],
      links: [toSampler, toSave, [3, 5, 0, 2, 1, '*'], [4, 6, 0, 5, 0, '*'], [5, 5, 0, 6, 0, '*']],
    });
    const found = tried(text, 'graph-not-convertible', server);
    expect(found.map(({ title, preferred, left }) => ({ title, preferred, left }))).toEqual([
      { title: 'Remove the Link to Reroute (node 5)', preferred: false, left: [] },
      { title: 'Remove the Link to Reroute (node 6)', preferred: false, left: [] },
    ]);
    expect(found[0]?.after).not.toContain('4]');
  });

  it.each([
    ['from a node that is gone', [3, 8, 0, 2, 1, 'IMAGE'], 'graph-not-convertible', true],
    ['of another type', [3, 1, 1, 2, 1, 'IMAGE'], 'link-type', false],
  ] as const)('%s is removed', (_, row, code, preferred) => {
    const text = graph({ sampler: { inputs: samplerInputs }, links: [toSampler, toSave, row] });
    expect(tried(text, code, server)).toEqual([
      {
        title: 'Remove the Link to image of Sampler (node 2)',
        preferred,
        after: joined.replace('"link":3', '"link":null'),
        left: [],
      },
    ]);
  });

  it('that nothing uses is removed', () => {
    const text = graph({ links: [toSampler, toSave, [3, 8, 0, 9, 0, 'IMAGE']] });
    const doc = WorkflowDocument.of(text);
    const { findings } = checkWorkflow(doc, { catalog: server });
    expect(applyEdits(text, fixAll(doc, findings, { catalog: server }))).toBe(graph());
  });
});
