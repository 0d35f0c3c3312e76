import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../../src/core/check/checkContext';
import { Catalog } from '../../../src/core/catalog/catalog';
import { readReplacements } from '../../../src/core/catalog/nodeReplacements';
import { nodeTypeAliases } from '../../../src/core/check/rules/classTypes';
import { catalog, check, lines, the, workflow } from './checkTexts';
import { graph } from './graphTexts';

describe('node types', () => {
  const node = (classType: unknown): string =>
    workflow({ image: ['4', 0] }, { '4': { class_type: classType, inputs: {} } });

  it('that are unknown are all reported, with similar names', () => {
    const text = workflow(
      {},
      { '4': { class_type: 'Lodaer', inputs: {} }, '5': { class_type: 'save ', inputs: {} } },
    );
    expect(check(text).findings.map(({ code, fix }) => [code, fix && 'texts' in fix && fix.texts])).toEqual([
      ['unknown-class', ['"Loader"']],
      ['unknown-class', ['"Save"']],
    ]);
    expect(the('unknown-class', node('Sharpen (rgthree)')).fix).toMatchObject({ pack: 'rgthree-comfy' });
    const aliases = () => nodeTypeAliases(catalog.definitions());
    expect(the('unknown-class', node('Open Model'), { aliases }).fix).toMatchObject({ texts: ['"Loader"'] });
  });

  it.each(['null', '"none"', '[]'])('that the server lists as %s are not taken for others', (definition) => {
    const unreadable = Catalog.fromText(`{"Loader": {}, "Loadre": ${definition}}`);
    const { findings } = check(node('Loadre'), { catalog: unreadable });
    const finding = findings.find(({ nodeId }) => nodeId === '4');
    if (finding?.code !== 'unknown-class') expect.fail(JSON.stringify(findings));
    expect(finding.message).toMatch(/^The server lists the node type Loadre \(node 4\) without a readable/);
    expect(finding.fix).toMatchObject({ texts: [] });
  });

  it('that are unknown are reported once each, at their first node', () => {
    const gone = { class_type: 'Gone', inputs: {} };
    const titled = { ...gone, _meta: { title: 'Second' } };
    const text = workflow({}, { '4': gone, '5': titled, '6': { class_type: 'Lost (rgthree)', inputs: {} } });
    const found = check(text).findings.filter(({ code }) => code === 'unknown-class');
    expect(found.map(({ nodeId, nodeIds }) => [nodeId, nodeIds])).toEqual([
      ['4', ['4', '5']],
      ['6', undefined],
    ]);
    expect(found.map(({ message }) => message)).toEqual([
      "The server doesn't have the node type Gone (nodes 4 and 5). Install the pack that provides it, or use another node type.",
      "Probably rgthree-comfy: the server doesn't have the node type Lost (rgthree) (node 6). Install the pack that provides it, or use another node type.",
    ]);
    const [other, ...more] = found[0]?.related ?? [];
    expect(more).toEqual([]);
    expect(other?.message).toBe('Second (node 5) also has this type.');
    expect(check(text).verdict?.error?.type).toBe('missing_node_type');
  });

  const lacking = "The server doesn't have the node type Fancy (node 4).";
  const outdated = `${lacking} It's part of ComfyUI, but not of this version. Select another server, or use another node type.`;
  const inPack = `the server doesn't have the node type Fancy (node 4). Install the pack that provides it, or use another node type.`;
  it.each([
    [
      { cnr_id: 'comfy-core', ver: '0.40.1' },
      "Fancy is part of ComfyUI. This file was saved with 0.40.1; this server runs 0.33.0 and doesn't have it. Update the server.",
    ],
    [{ cnr_id: 'comfy-core', ver: '0.9.2' }, outdated],
    [{ cnr_id: 'comfy-core', ver: '01e452c0d182b9bfe51def1e7c924f7222fb7194' }, outdated],
    [{ cnr_id: 'fancy-pack', ver: '9.0.0' }, `fancy-pack: ${inPack}`],
    [{ aux_id: 'someone/fancy' }, `someone/fancy: ${inPack}`],
    [{ cnr_id: 'no pack!' }, `${lacking} Install the pack that provides it, or use another node type.`],
  ])(
    'that are unknown say why, by the _meta of a prompt or the properties of a graph: %j',
    (identity, words) => {
      const context: CheckContext = { catalog, serverVersion: '0.33.0' };
      const fancy = { class_type: 'Fancy', inputs: {}, _meta: { title: 'x', ...identity } };
      expect(the('unknown-class', workflow({}, { '4': fancy }), context).message).toBe(words);
      const properties = { 'Node name for S&R': 'Fancy', ...identity };
      const outputs = [{ name: 'IMAGE', type: 'IMAGE', links: [] }];
      const inGraph = graph({ more: [{ id: 4, type: 'Fancy', mode: 0, inputs: [], outputs, properties }] });
      expect(the('unknown-class', inGraph, context).message).toBe(words);
    },
  );

  it('that the server would replace by one that it lacks, too, name that', () => {
    const replacements = readReplacements({ Fancy: [{ new_node_id: 'Fancier' }] });
    expect(the('unknown-class', node('Fancy'), { replacements }).message).toBe(
      'Fancy was replaced by Fancier, and this server has neither. Update the server, or use another node type.',
    );
  });

  it('that the sandbox lacks are one finding at the top; likely typos stay at the node', () => {
    const text = workflow(
      {},
      {
        '4': { class_type: 'Gone', inputs: {} },
        '5': { class_type: 'Gone', inputs: {} },
        '6': { class_type: 'Lost (rgthree)', inputs: {} },
        '7': { class_type: 'Lodaer', inputs: {} },
      },
    );
    const context: CheckContext = { isSandbox: true, serverName: 'Sandbox' };
    expect(lines(text, context)).toEqual(['error unknown-class {', 'error unknown-class "Lodaer"']);
    const [top] = check(text, context).findings;
    expect(top).toMatchObject({ offset: 0, length: 1, nodeIds: ['4', '5', '6'] });
    expect(top?.message).toBe(
      "The sandbox doesn't have 2 node types of this file: Lost (rgthree) from rgthree-comfy, and Gone. To run the file, select another server.",
    );
    expect(
      top?.related?.map(({ message, offset, length }) => [message, text.slice(offset, offset + length)]),
    ).toEqual([
      ['rgthree-comfy: Lost (rgthree) (node 6).', '"Lost (rgthree)"'],
      ['Gone (nodes 4 and 5).', '"Gone"'],
    ]);
    const one = workflow({}, { '4': { class_type: 'Gone', inputs: {} } });
    expect(the('unknown-class', one, context).message).toMatch(
      /^The sandbox doesn't have 1 node type of this file: Gone\. To run the file, select another server/,
    );
  });

  it('that the server replaces are a warning, or an error without _meta', () => {
    const replacements = readReplacements({
      OldPicture: [{ new_node_id: 'Picture', input_mapping: [{ new_id: 'image', old_id: 'file' }] }],
    });
    const old = { class_type: 'OldPicture', inputs: { file: 'here.png' } };
    const text = workflow({ image: ['4', 0] }, { '4': { ...old, _meta: { title: 'Old' } } });
    expect(lines(text, { replacements })).toEqual(['warning replaced-class "OldPicture"']);
    expect(the('replaced-class', text, { replacements }).fix).toMatchObject({
      kind: 'replaceNode',
      classType: 'Picture',
    });
    const bare = workflow({ image: ['4', 0] }, { '4': old });
    const older = { replacements, serverVersion: '0.33.0' };
    expect(lines(bare, older)).toEqual(['error replacement-needs-meta "OldPicture"']);
    expect(check(bare, older).verdict?.crash?.exceptionType).toBe('KeyError');
  });

  it.each([
    ['0.40.0', []],
    ['v0.45.2', []],
    ['0.36.1', ['hint']],
    [undefined, ['hint']],
    ['a1b2c3d', ['hint']],
  ])('that the server replaces need _meta only on older servers: %s', (serverVersion, severities) => {
    const replacements = readReplacements({ OldPicture: [{ new_node_id: 'Picture' }] });
    const text = workflow({ image: ['4', 0] }, { '4': { class_type: 'OldPicture', inputs: {} } });
    const { findings, verdict } = check(text, { replacements, serverVersion });
    const needing = findings.filter(({ code }) => code === 'replacement-needs-meta');
    expect(needing.map(({ severity }) => severity)).toEqual(severities);
    expect(findings.map(({ code }) => code)).toContain('replaced-class');
    // If in doubt, the verdict is the stricter one.
    expect(verdict?.crash?.exceptionType).toBe(severities.length === 0 ? undefined : 'KeyError');
  });

  it('are marked as deprecated, experimental and paid', () => {
    const nodes = {
      '4': { class_type: 'Fast Blur (rgthree)', inputs: { image: ['5', 0] } },
      '5': { class_type: 'Picture', inputs: { image: 'here.png' } },
    };
    const found = check(workflow({ image: ['4', 0] }, nodes)).findings;
    expect(found.map(({ code, tags }) => [code, tags])).toEqual([
      ['deprecated-class', ['deprecated']],
      ['experimental-class', undefined],
      ['paid-class', undefined],
    ]);
  });
});

describe('a deprecated node type', () => {
  const definitions = {
    OldPicture: { display_name: 'Picture (DEPRECATED)', deprecated: true, output: ['IMAGE'] },
    NewPicture: { display_name: 'Picture', output: ['IMAGE'] },
    OldName: { display_name: 'Name (deprecated by Picture)', deprecated: true, output: ['IMAGE'] },
    Alone: { deprecated: true, output: ['IMAGE'] },
    Save: { input: { required: { images: ['IMAGE'] } }, output: [], output_node: true },
  };
  const newer = Catalog.fromDefinitions(definitions);
  const replacements = readReplacements({ OldPicture: [{ new_node_id: 'NewPicture' }] });
  const aliases = () => nodeTypeAliases(newer.definitions());

  it.each([
    ['OldPicture', { replacements }, 'Picture (DEPRECATED)', 'Use NewPicture instead.'],
    ['OldPicture', { aliases }, 'Picture (DEPRECATED)', 'Use NewPicture instead.'],
    ['OldName', { aliases }, 'Name (deprecated by Picture)', 'Use NewPicture instead.'],
    ['Alone', { aliases, replacements }, 'Alone', 'Look for its replacement.'],
  ])('names its successor: %s, %j', (classType, context, name, advice) => {
    const nodes = {
      '1': { class_type: classType, inputs: {} },
      '2': { class_type: 'Save', inputs: { images: ['1', 0] } },
    };
    const { message, fix } = the('deprecated-class', JSON.stringify(nodes), { catalog: newer, ...context });
    expect(message).toBe(`${classType} (node 1): ${name} is deprecated and may be removed. ${advice}`);
    expect(fix?.kind).toBe(
      'replacements' in context && classType === 'OldPicture' ? 'replaceNode' : undefined,
    );
  });
});

describe('nodes that no output depends on', () => {
  it('are faded, and their problems are hints that say why', () => {
    const text = workflow({}, { '4': { class_type: 'Loader', inputs: { name: 'nothing.safetensors' } } });
    const found = check(text).findings;
    expect(found.map(({ severity, code, tags }) => [severity, code, tags])).toEqual([
      ['hint', 'unused-node', ['unnecessary']],
      ['hint', 'option-unknown', undefined],
    ]);
    expect(found[1]?.message).toContain("The server doesn't check this");
    expect(check(text).verdict?.valid).toBe(true);
  });

  it('are still checked when there is no output', () => {
    const text = JSON.stringify({ '1': { class_type: 'Loader', inputs: {} } });
    expect(lines(text)).toEqual(['error no-output-node {', 'error missing-input "Loader"']);
  });
});

describe('outputs that the server drops', () => {
  it('are reported, and the problems behind them are warnings', () => {
    const text = workflow(
      {},
      {
        '4': { class_type: 'Save', inputs: { images: ['5', 0], prefix: 'x' } },
        '5': { class_type: 'Batch', inputs: {} },
      },
    );
    expect(check(text).verdict).toMatchObject({ valid: true, goodOutputs: ['3'] });
    expect(lines(text)).toEqual(['warning output-dropped "Save"', 'warning missing-input "Batch"']);
    expect(the('output-dropped', text).related).toHaveLength(1);
  });
});

describe('the shape of the file', () => {
  const broken = (node: unknown): string => workflow({}, { '4': node });
  it.each([
    ['error class-type-missing "4"', broken({ inputs: {} })],
    ['error class-type-not-text 5', broken({ class_type: 5, inputs: {} })],
    ['warning inputs-missing "4"', broken({ class_type: 'Save' })],
    ['error inputs-not-an-object null', broken({ class_type: 'Picture', inputs: null })],
    ['error not-a-node "note"', broken('note')],
    ['error not-a-node "_meta"', workflow({}, { _meta: { title: 'x' } })],
    ['warning non-finite-number NaN', workflow().replace('"cfg": 7', '"cfg": NaN')],
    ['warning duplicate-input "cfg"', workflow().replace('"cfg": 7', '"cfg": 7, "cfg": 8')],
    [
      'warning duplicate-node "1"',
      workflow().replace('"1": {', '"1": {"class_type": "Loader", "inputs": {}}, "1": {'),
    ],
    ['error json-syntax ,', workflow().replace('"cfg": 7', '"cfg": 7,,')],
  ])('%s', (line, text) => {
    expect(lines(text)).toContain(line);
  });

  it('of inputs has a fix where nothing is lost with it', () => {
    const fixOf = (inputs: unknown): unknown =>
      the('inputs-not-an-object', broken({ class_type: 'Picture', inputs })).fix;
    for (const nothing of [null, '', []]) expect(fixOf(nothing)).toMatchObject({ texts: ['{}'] });
    for (const something of [[{ cfg: 7 }], 'cfg', 7]) expect(fixOf(something)).toBeUndefined();
  });

  it('is unwrapped from a request body', () => {
    const report = check(`{"client_id": "x", "prompt": ${workflow({ steps: 0 })}}`);
    expect(report.format).toBe('wrapper');
    expect(report.findings.map(({ code }) => code)).toEqual(['wrapped-workflow', 'below-minimum']);
  });
});
