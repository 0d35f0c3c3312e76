import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainPrompt, promptText, keep, prepare, preparedOf, refusalOf } from './definitions';
import { Catalog } from '../../../src/core/catalog/catalog';
import type { NodeReplacements } from '../../../src/core/catalog/nodeReplacements';
import { largestWorkflow } from '../../../src/core/runs/readWorkflowPrompt';
import { randomSeed } from '../../../src/core/runs/randomSeed';

describe('prepareRun cuts the prompt from the text', () => {
  it('byte for byte, with every digit and the order of the keys', () => {
    const text =
      '\n {"10": {"class_type":"Noise","inputs":{"seed":18446744073709551615,"x":1.50,"y":1e400}},\n' +
      '  "2": {"_meta":{"title":"\\u00e4"}, "inputs":{"images":["10",0],"filename_prefix":"x"},"class_type":"SaveImage"}}\n ';
    const run = preparedOf(text);
    expect(run.promptText).toBe(text.trim());
    expect(run.origin.seeds).toEqual({ '10.seed': '18446744073709551615' });
    expect(run.origin.nodeNames).toEqual({ '10': 'Noise', '2': 'ä' });
    expect(run.origin.sourceHash).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('out of any wrapper, without sending the wrapper', () => {
    const inner = JSON.stringify(plainPrompt);
    for (const text of [
      `{"client_id":"c","prompt":${inner},"extra_data":{"api_key_comfy_org":"test-key"}}`,
      `{"output":${inner},"workflow":{}}`,
      `{"input":{"workflow":${inner}}}`,
    ]) {
      expect(preparedOf(text).promptText).toBe(inner);
    }
  });

  it('without metadata that another tool left beside the nodes', () => {
    const text = promptText({ _meta: { tool: 'x' } });
    const run = preparedOf(text);
    expect(JSON.parse(run.promptText)).toEqual(plainPrompt);
    expect(run.origin.nodeNames).toEqual({ 1: 'EmptyImage', 2: 'Keep' });
  });

  it('bare NaN included, as the server reads it', () => {
    const text = promptText({
      1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, odd: 0 } },
    }).replace('"odd": 0', '"odd": NaN');
    expect(preparedOf(text).promptText).toBe(text);
  });

  it('with a title added only to nodes that the server may replace', () => {
    const text = promptText({ 1: { class_type: 'OldImage', inputs: {} } });
    const run = preparedOf(text, { ...keep, force: true });
    const sent: unknown = JSON.parse(run.promptText);
    expect(sent).toMatchObject({ 1: { _meta: { title: 'OldImage' } }, 2: { _meta: { title: 'Keep' } } });
    expect(preparedOf(promptText()).promptText).toBe(promptText());
  });

  it('for any prompt: what is posted equals what the file says', () => {
    const value = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
    const node = fc.record({ class_type: fc.string(), inputs: fc.dictionary(fc.string(), value) });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), node, { minKeys: 1 }), (prompt) => {
        // Cut out of a wrapper with other members before and after.
        const inner = JSON.stringify(prompt);
        const run = prepare(`{"client_id": "a", "prompt": ${inner}, "front": true}`, { seeds: 'keep' });
        expect(run.kind === 'prepared' && run.promptText).toBe(inner);
      }),
    );
  });
});

describe('prepareRun and seeds', () => {
  const text = promptText({
    1: { class_type: 'Noise', inputs: { seed: 5 } },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: '5' } },
  });

  it('draws new ones, changes nothing else and records what was sent', () => {
    const run = preparedOf(text, { ...keep, seeds: 'new', randomSeed: (_min, max) => max });
    expect(run.origin.seeds).toEqual({ '1.seed': '9007199254740991' });
    expect(run.promptText).toBe(text.replace('"seed": 5', '"seed": 9007199254740991'));
  });
});

describe('prepareRun and what else a run needs', () => {
  it('lists media files of the input folder, and whether the server has them', () => {
    const image = (name: string): object => ({ class_type: 'LoadImage', inputs: { image: name } });
    const run = preparedOf(
      promptText({ 5: image('known.png'), 6: image('mine.png'), 7: image('earlier.png [output]') }),
    );
    expect(run.media.map(({ nodeId, fileName, listed }) => [nodeId, fileName, listed])).toEqual([
      ['5', 'known.png', true],
      ['6', 'mine.png', false],
    ]);
  });

  it('does not report a media file missing from the list: it may be uploaded', () => {
    const text = promptText({ 1: { class_type: 'LoadImage', inputs: { image: 'mine.png' } } });
    expect(preparedOf(text).findings).toEqual([]);
  });

  it('lists partner nodes', () => {
    const text = promptText({
      1: { class_type: 'PartnerImage', inputs: { prompt: 'x' }, _meta: { title: 'Paid' } },
    });
    expect(preparedOf(text).partnerNodes).toEqual([
      { nodeId: '1', classType: 'PartnerImage', title: 'Paid' },
    ]);
    expect(preparedOf(promptText()).partnerNodes).toEqual([]);
  });

  it('says when only the structure was checked', () => {
    expect(preparedOf(promptText(), { seeds: 'keep' }).checked).toBe(false);
    expect(preparedOf(promptText()).checked).toBe(true);
  });

  it('warns of a branch that the server will leave out', () => {
    const run = preparedOf(promptText({ 3: { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } } }));
    expect(run.findings.map(({ code, severity, nodeId }) => [code, severity, nodeId])).toEqual([
      ['missing-input', 'warning', '3'],
    ]);
    expect(run.findings[0]?.message).toContain('skips the outputs that depend on it');
  });
});

describe('prepareRun refuses in one sentence with a next step', () => {
  const graph = { nodes: [{ id: 1, type: 'SaveImage' }], links: [], last_node_id: 1, version: 0.4 };
  const list = { A: { input: { required: {} }, output: [], category: 'x' } };
  const withNode = (node: unknown): string => promptText({ 3: node });

  it.each([
    ['text that is no JSON', '{\n "1": {\n  oops }', 'notJson', /^Line 3 /],
    ['an empty file', '  \n', 'empty', /empty/],
    ['a list', '[1, 2]', 'notAWorkflow', /object of nodes/],
    ['a single value', '"hello"', 'notAWorkflow', /object of nodes/],
    ['other JSON', '{"name": "x"}', 'notAWorkflow', /not a ComfyUI workflow/],
    ['a graph file without definitions', JSON.stringify(graph), 'noDefinitions', /node definitions/],
    ['a wrapped one', JSON.stringify({ workflow: graph }), 'noDefinitions', /node definitions/],
    ['node definitions', JSON.stringify(list), 'objectInfo', /node definitions/],
    ['no nodes', '{}', 'noNodes', /no nodes/],
    ['no nodes in a wrapper', '{"prompt": {}}', 'noNodes', /no nodes/],
    ['a node that is a text', withNode('oops'), 'badNode', /Entry 3 is not a node/],
    ['a node that is null', withNode(null), 'badNode', /Entry 3 is not a node/],
    [
      'a broken node',
      '{"1": {"class_type": "A", "inputs": {}}, "2": 7}',
      'notAWorkflow',
      /Entries that are nodes: 1 of 2/,
    ],
    ['a node without class', withNode({ inputs: {} }), 'badNode', /Node 3 has no class_type/],
    ['a class that is a number', withNode({ class_type: 4, inputs: {} }), 'badNode', /must be a string/],
    ['inputs that are a list', withNode({ class_type: 'A', inputs: [] }), 'badNode', /inputs of node 3/],
  ])('%s', (_, text, reason, message) => {
    const refusal = refusalOf(text, { seeds: 'keep' });
    expect(refusal.reason).toBe(reason);
    expect(refusal.message).toMatch(message);
    expect(refusal.message).toMatch(/\.$/);
    expect(refusal.nextAction).toMatch(/^[A-Z].*\.$/);
  });

  it('a graph whose prompt would lack one of its values, unless that is allowed', () => {
    const loras = Catalog.fromDefinitions({
      Loras: { input: {}, output: [], output_node: true, python_module: 'custom_nodes.somebodys-loras' },
    });
    const row = { id: 1, type: 'Loras', widgets_values: [{ lora: 'a.safetensors' }] };
    const text = JSON.stringify({ nodes: [row], links: [], last_node_id: 1, version: 0.4 });
    expect(refusalOf(text, { seeds: 'keep', catalog: loras, force: true })).toMatchObject({
      reason: 'lossy',
      message: expect.stringMatching(/Part of the workflow wouldn't be sent.*lora.*\.$/s) as string,
      offset: text.indexOf('{"lora"'),
    });
    expect(preparedOf(text, { seeds: 'keep', catalog: loras, allowLoss: true }).findings).toMatchObject([
      { code: 'graph-conversion', severity: 'warning' },
    ]);
  });

  it('a text of hundreds of megabytes, without reading it', () => {
    const huge = { length: 200 * 1024 * 1024 } as string;
    expect(refusalOf(huge)).toMatchObject({
      reason: 'tooLarge',
      message: "The file is larger than 64 MB, so it wasn't read.",
    });
    expect(largestWorkflow).toBeLessThan(200 * 1024 * 1024);
  });

  it('at the place of the error', () => {
    const text = promptText({ 3: 'oops' });
    const { offset = 0, length = 0, findings } = refusalOf(text);
    expect(text.slice(offset, offset + length)).toBe('"oops"');
    expect(findings).toHaveLength(1);
  });

  it('a missing target', () => {
    expect(refusalOf(promptText(), { ...keep, targets: ['2', '77'] }).message).toContain('node 77');
  });

  it('what the server would refuse, at every place, unless forced', () => {
    const text = promptText({ 1: { class_type: 'EmptyImage', inputs: { width: 0 } } });
    const refusal = refusalOf(text);
    expect(refusal.reason).toBe('invalid');
    expect(refusal.findings.map(({ code }) => code).sort()).toEqual(['below-minimum', 'missing-input']);
    const small = refusal.findings.find(({ code }) => code === 'below-minimum');
    expect(text.slice(small?.offset, (small?.offset ?? 0) + (small?.length ?? 0))).toBe('0');
    const forced = preparedOf(text, { ...keep, force: true });
    expect(forced.findings).toHaveLength(2);
  });

  it('with the number of all problems, however many there are', () => {
    const ids = Array.from({ length: 700 }, (_, index) => String(index + 1));
    const small = { class_type: 'EmptyImage', inputs: { width: 0, height: 64 } };
    const nodes = ids.flatMap((id) => [
      [id, small],
      [`s${id}`, { class_type: 'SaveImage', inputs: { images: [id, 0], filename_prefix: 'x' } }],
    ]);
    const refusal = refusalOf(JSON.stringify(Object.fromEntries(nodes)));
    expect(refusal.message).toContain('More problems: 699.');
    expect(refusal.findings).toHaveLength(500);
    expect(refusal.summary).toBe('The server would reject the workflow. More problems: 200.');
  });

  it('nothing because of a title that the run itself adds', () => {
    const replacements: NodeReplacements = new Map([
      [
        'OldImage',
        { newClassType: 'EmptyImage', inputs: ['width', 'height'].map((name) => ({ name, from: name })) },
      ],
    ]);
    const text = promptText({
      1: { class_type: 'OldImage', inputs: { width: 64, height: 64 } },
      3: { class_type: 'EmptyImage', inputs: { width: 0, height: 64 } },
      4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
    });
    const { findings } = preparedOf(text, { ...keep, replacements });
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['below-minimum', 'warning'],
      ['output-dropped', 'warning'],
    ]);
  });
});

it('randomSeed stays within the limits, both inclusive', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.bigInt({ min: 0n, max: 2n ** 64n }), (a, b) => {
      const [min, max] = a < b ? [a, b] : [b, a];
      const seed = randomSeed(min, max);
      expect(seed >= min && seed <= max).toBe(true);
    }),
  );
  const drawn = new Set(Array.from({ length: 200 }, () => randomSeed(0n, 2n)));
  expect(drawn).toEqual(new Set([0n, 1n, 2n]));
});
