import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeReplacements } from '../../../src/core/catalog/nodeReplacements';
import type { PreparedRun } from '../../../src/core/runs/preparedRun';
import { prepareRun } from '../../../src/core/runs/prepareRun';
import type { RunChoices } from '../../../src/core/runs/runChoices';
import type { ServerDefinitions } from '../../../src/core/server/serverDefinitions';
import type { RandomSeed } from '../../../src/core/workflow/seeds';
import type { RunRefusal } from '../../../src/core/runs/runRefusal';
import { largestWorkflow } from '../../../src/core/runs/readWorkflowPrompt';
import { catalog, plainPrompt, promptText } from './definitions';

type Options = RunChoices & ServerDefinitions & { readonly randomSeed?: RandomSeed };

const keep: Options = { seeds: 'keep', catalog };

function prepare(text: string, options: Options): PreparedRun | RunRefusal {
  return prepareRun(
    { workflow: WorkflowDocument.of(text), label: 'w.json' },
    options,
    options,
    options.randomSeed,
  );
}

function refusalOf(text: string, options: Options = keep): RunRefusal {
  const result = prepare(text, options);
  if (result.kind !== 'refused') throw new Error('was not refused');
  return result;
}

function preparedOf(text: string, options: Options = keep): PreparedRun {
  const result = prepare(text, options);
  if (result.kind !== 'prepared') throw new Error(result.message);
  return result;
}

describe('prepareRun refuses in one sentence with a next step', () => {
  const graph = { nodes: [{ id: 1, type: 'SaveImage' }], links: [], last_node_id: 1, version: 0.4 };
  const list = { A: { input: { required: {} }, output: [], category: 'x' } };
  it.each([
    ['text that is no JSON', '{\n "1": {\n  oops }', 'notJson', /^Line 3 /],
    ['an empty file', '  \n', 'empty', /empty/],
    ['a list', '[1, 2]', 'notAWorkflow', /a list/],
    ['a single value', '"hello"', 'notAWorkflow', /single value/],
    ['other JSON', '{"name": "x"}', 'notAWorkflow', /not a ComfyUI workflow/],
    ['a graph file without definitions', JSON.stringify(graph), 'noDefinitions', /node definitions/],
    ['a wrapped one', JSON.stringify({ workflow: graph }), 'noDefinitions', /node definitions/],
    ['node definitions', JSON.stringify(list), 'objectInfo', /node definitions/],
    ['no nodes', '{}', 'noNodes', /no nodes/],
    ['no nodes in a wrapper', '{"prompt": {}}', 'noNodes', /no nodes/],
    ['a node that is a text', promptText({ 3: 'oops' }), 'badNode', /Entry 3 is not a node/],
    ['a node that is null', promptText({ 3: null }), 'badNode', /Entry 3 is not a node/],
    [
      'mostly broken nodes',
      '{"1": 1, "2": 2, "3": {"class_type": "A", "inputs": {}}}',
      'notAWorkflow',
      /only 1 of its 3 entries is a node/,
    ],
    ['a node without class', promptText({ 3: { inputs: {} } }), 'badNode', /Node 3 has no class_type/],
    [
      'a class that is a number',
      promptText({ 3: { class_type: 4, inputs: {} } }),
      'badNode',
      /must be a string/,
    ],
    [
      'inputs that are a list',
      promptText({ 3: { class_type: 'A', inputs: [] } }),
      'badNode',
      /inputs of node 3/,
    ],
  ])('%s', (_, text, reason, message) => {
    const refusal = refusalOf(text, { seeds: 'keep' });
    expect(refusal.reason).toBe(reason);
    expect(refusal.message).toMatch(message);
    expect(refusal.message).toMatch(/\.$/);
    expect(refusal.nextAction).toMatch(/^[A-Z].*\.$/);
  });

  it('a text of hundreds of megabytes, without reading it', () => {
    const huge = { length: 200 * 1024 * 1024 } as string;
    expect(refusalOf(huge)).toMatchObject({
      reason: 'tooLarge',
      message: expect.stringContaining('200 MB') as string,
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
    expect(refusal.message).toContain('There are 699 more problems.');
    expect(refusal.findings).toHaveLength(500);
    expect(refusal.summary).toBe('The server would reject the workflow. 200 more problems are not listed.');
  });

  it('nothing because of a title that the run itself adds', () => {
    const replacements: NodeReplacements = new Map([
      [
        'OldImage',
        {
          newClassType: 'EmptyImage',
          inputs: ['width', 'height'].map((name) => ({ name, from: name })),
        },
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

  it('an unknown node type of several nodes once, and a cycle once', () => {
    const unknown = promptText({
      3: { class_type: 'Nope', inputs: {} },
      4: { class_type: 'Nope', inputs: {} },
    });
    expect(refusalOf(unknown).findings.map(({ nodeIds, code }) => [code, nodeIds])).toEqual([
      ['unknown-class', ['3', '4']],
    ]);
    const noise = (from: string): object => ({ class_type: 'Noise', inputs: { seed: 1, image: [from, 0] } });
    const loop = promptText({
      2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
      3: noise('4'),
      4: noise('3'),
    });
    expect(refusalOf(loop).findings.map(({ code }) => code)).toEqual(['cycle']);
  });

  it('all unknown node types at once, and a workflow without output', () => {
    const unknown = promptText({
      3: { class_type: 'Gone', inputs: {} },
      4: { class_type: 'Lost', inputs: {} },
    });
    expect(refusalOf(unknown).findings.map(({ nodeId }) => nodeId)).toEqual(['3', '4']);
    const silent = JSON.stringify({ 1: plainPrompt[1] });
    expect(refusalOf(silent).message).toContain('The workflow has no output node');
  });
});

describe('prepareRun and links that would stop the server', () => {
  const save = (inputs: Record<string, unknown>): object => ({ class_type: 'SaveImage', inputs });
  const good = { images: ['1', 0], filename_prefix: 'x' };

  it('refuses a missing node behind an undeclared input, also when forced', () => {
    const text = promptText({ 2: save({ ...good, extra: ['99', 0] }) });
    for (const force of [false, true]) {
      const refusal = refusalOf(text, { ...keep, force });
      expect(refusal.reason).toBe('stopsServer');
      expect(refusal.message).toContain(`node "99"`);
      expect(text.slice(refusal.offset).startsWith('[')).toBe(true);
    }
  });

  it('refuses one upstream of a node that only an undeclared input reaches', () => {
    const text = promptText({
      2: save({ ...good, extra: ['3', 0] }),
      3: { class_type: 'Noise', inputs: { seed: 1, image: ['99', 0] } },
    });
    expect(refusalOf(text, { ...keep, force: true }).reason).toBe('stopsServer');
  });

  it('treats a fractional slot as a link, as the server does', () => {
    expect(refusalOf(promptText({ 2: save({ ...good, extra: ['99', 0.5] }) })).reason).toBe('stopsServer');
  });

  it('leaves a declared input to the verdict: the server validates it', () => {
    const text = promptText({ 2: save({ images: ['99', 0], filename_prefix: 'x' }) });
    expect(refusalOf(text).reason).toBe('invalid');
    expect(preparedOf(text, { ...keep, force: true }).kind).toBe('prepared');
  });

  it("allows one that no output reaches, and one in a branch that won't run", () => {
    const leftover = { 3: { class_type: 'Noise', inputs: { seed: 1, extra: ['99', 0] } } };
    expect(preparedOf(promptText(leftover)).kind).toBe('prepared');
    const twoOutputs = promptText({ 3: save({ ...good, extra: ['99', 0] }) });
    expect(refusalOf(twoOutputs).reason).toBe('stopsServer');
    expect(preparedOf(twoOutputs, { ...keep, targets: ['2'] }).choices.targets).toEqual(['2']);
  });

  it('refuses every link to a missing node without node definitions', () => {
    const text = promptText({ 2: save({ images: ['99', 0], filename_prefix: 'x' }) });
    expect(refusalOf(text, { seeds: 'keep', force: true }).reason).toBe('stopsServer');
  });

  it('refuses a list that the server unwraps into a link', () => {
    const wrapped = { __value__: ['99', 0] };
    const refusal = refusalOf(promptText({ 2: save({ ...good, images: wrapped }) }), {
      ...keep,
      force: true,
    });
    expect(refusal.reason).toBe('stopsServer');
    expect(refusal.message).toContain(`node "99"`);
    expect(refusalOf(promptText({ 2: save({ ...good, images: wrapped }) }), { seeds: 'keep' }).reason).toBe(
      'stopsServer',
    );
    const behind = promptText({
      2: save({ ...good, images: { __value__: ['3', 0] } }),
      3: { class_type: 'Noise', inputs: { seed: 1, image: ['99', 0] } },
    });
    expect(refusalOf(behind, { ...keep, force: true }).reason).toBe('stopsServer');
  });

  it('allows a wrapped list that the server converts to a string or never unwraps', () => {
    const text = promptText({ 2: save({ ...good, filename_prefix: { __value__: ['99', 0] } }) });
    expect(preparedOf(text).kind).toBe('prepared');
    const undeclared = promptText({ 2: save({ ...good, extra: { __value__: ['99', 0] } }) });
    expect(preparedOf(undeclared).kind).toBe('prepared');
  });

  it('does so for every slot that the server follows', () => {
    for (const slot of [0.5, true]) {
      const text = promptText({ 2: save({ images: ['99', slot], filename_prefix: 'x' }) });
      expect(refusalOf(text, { seeds: 'keep', force: true }).reason).toBe('stopsServer');
    }
    const behind = promptText({
      2: save({ ...good, extra: ['3', 0] }),
      3: { class_type: 'Noise', inputs: { seed: 1, image: ['99', true] } },
    });
    expect(refusalOf(behind, { ...keep, force: true }).reason).toBe('stopsServer');
  });

  it.each(['true', '0.5', 'NaN', '1e999', '-Infinity'])(
    'treats %s as a slot without node definitions',
    (slot) => {
      const text = promptText({ 2: save({ ...good, extra: ['99', 7] }) }).replace(/7(\s*\])/, `${slot}$1`);
      expect(text).toContain(slot);
      expect(refusalOf(text, { seeds: 'keep', force: true }).reason).toBe('stopsServer');
    },
  );

  it.each([600, 20_100])('finds the link behind %d other errors', { timeout: 60_000 }, (count) => {
    const faults = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`n${index}`, save({ ...good, extra: ['1', 0] })]),
    );
    const text = promptText({ ...faults, last: save({ ...good, extra: ['99', 0] }) });
    const refusal = refusalOf(text, { ...keep, force: true });
    expect(refusal.reason).toBe('stopsServer');
    expect(refusal.findings[0]?.nodeId).toBe('last');
  });

  it("refuses chains of links and nested lists that exceed the server's recursion limit", () => {
    const chain = (count: number): Record<string, unknown> =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `n${index}`,
          { class_type: 'Noise', inputs: { seed: 1, image: [`n${index + 1}`, 0] } },
        ]),
      );
    const last = { class_type: 'EmptyImage', inputs: { width: 64, height: 64 } };
    expect(refusalOf(promptText({ ...chain(1_200), n1200: last }), { ...keep, force: true }).reason).toBe(
      'stopsServer',
    );
    expect(preparedOf(promptText({ ...chain(500), n500: last })).kind).toBe('prepared');
    const nested = (depth: number): string =>
      JSON.stringify({ ...plainPrompt, 3: { class_type: 'Noise', inputs: { seed: 1, extra: '?' } } }).replace(
        '"?"',
        `${'['.repeat(depth)}${']'.repeat(depth)}`,
      );
    expect(refusalOf(nested(600), { ...keep, force: true }).reason).toBe('stopsServer');
    expect(preparedOf(nested(100)).kind).toBe('prepared');
  });

  it('refuses one despite an unknown node type when the run is forced', () => {
    const unknown = promptText({ 3: { class_type: 'Gone', inputs: { extra: ['99', 0] } } });
    expect(refusalOf(unknown).reason).toBe('invalid');
    expect(refusalOf(unknown, { ...keep, force: true }).reason).toBe('stopsServer');
    const behind = promptText({
      3: { class_type: 'Gone', inputs: { image: ['4', 0] } },
      4: { class_type: 'Noise', inputs: { seed: 1, image: ['99', 0] } },
    });
    expect(refusalOf(behind, { ...keep, force: true }).reason).toBe('stopsServer');
  });

  it('refuses one behind any number of other problems', () => {
    const flood = (id: string, slot: number, images: readonly unknown[]): object => ({
      [`n${id}`]: { class_type: 'Noise', inputs: { seed: 1, extra: ['1', slot] } },
      [`s${id}`]: save({ filename_prefix: 'x', images }),
    });
    const ids = Array.from({ length: 600 }, (_, index) => `a${index}`);
    const nodes = Object.assign({}, ...ids.map((id) => flood(id, 7, [`n${id}`, 0]))) as object;
    const last = save({ ...good, extra: ['99', 0] });
    expect(refusalOf(promptText({ ...nodes, z: last }), { ...keep, force: true }).reason).toBe('stopsServer');
    const numbers = Array.from({ length: 20_001 }, () => 'NaN').join(',');
    const hidden = promptText({
      3: { class_type: 'Noise', inputs: { seed: 1, odd: '@', extra: ['99', 0] } },
      4: save({ ...good, extra: ['99', 0] }),
    }).replace('"@"', `[${numbers}]`);
    expect(refusalOf(hidden).reason).toBe('stopsServer');
  });

  it('does not mistake a pair of numbers or a string for a link', () => {
    const text = promptText({ 2: save({ ...good, extra: [99, 0], more: ['99', '0'] }) });
    expect(preparedOf(text).kind).toBe('prepared');
  });
});

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
    const node = fc.record({
      class_type: fc.string(),
      inputs: fc.dictionary(fc.string(), value),
    });
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

  it('keeps and records the seeds of the file', () => {
    expect(preparedOf(text).origin.seeds).toEqual({ '1.seed': '5' });
  });

  it('draws new ones, changes nothing else and records what was sent', () => {
    const run = preparedOf(text, { ...keep, seeds: 'new', randomSeed: (_min, max) => max });
    expect(run.origin.seeds).toEqual({ '1.seed': '9007199254740991' });
    expect(run.promptText).toBe(text.replace('"seed": 5', '"seed": 9007199254740991'));
  });

  it('draws within the limits, and not the same seed twice', () => {
    const drawn = Array.from(
      { length: 20 },
      () => preparedOf(text, { ...keep, seeds: 'new' }).origin.seeds['1.seed'],
    );
    expect(new Set(drawn).size).toBeGreaterThan(15);
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
    const text = promptText({
      1: { class_type: 'LoadImage', inputs: { image: 'mine.png' } },
    });
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
      ['output-dropped', 'warning', '3'],
      ['missing-input', 'warning', '3'],
    ]);
  });
});

it('prepareRun reports the missing node types of a group node', () => {
  const outputs = [{ name: 'IMAGE', type: 'IMAGE', links: [] }];
  const inner = (type: string, index: number) => ({ type, index, inputs: [], outputs, properties: {} });
  const graph = {
    nodes: [{ id: 1, type: 'workflow>Pair', mode: 0, inputs: [], outputs }],
    links: [],
    version: 0.4,
    extra: { groupNodes: { Pair: { nodes: [inner('InkBrush', 0), inner('Wash', 1)], links: [] } } },
  };
  const { findings } = refusalOf(JSON.stringify(graph));
  expect(findings.map(({ message }) => message)).toEqual([
    "The group node Pair (node 1) needs 2 node types that the server doesn't have: InkBrush and Wash. Install the packs that provide them, or remove the node.",
  ]);
});
