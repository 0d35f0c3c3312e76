import { describe, expect, it } from 'vitest';
import { FileStore } from '../../../../src/sandbox/files/fileStore';
import {
  definitionsText,
  parseSignature,
  sandboxDefinitions,
  sandboxNodes,
} from '../../../../src/sandbox/nodes/nodeSet';
import { sandboxPacks } from '../../../../src/sandbox/registry/packStore';

describe('the definitions of the sandbox', () => {
  it('keep every digit of the largest seed', () => {
    expect(definitionsText(sandboxDefinitions())).toContain('18446744073709551615');
  });

  it('list each node type once, with as many output names as outputs', () => {
    for (const [name, { definition }] of sandboxNodes()) {
      expect(definition.name).toBe(name);
      expect(definition.output_name).toHaveLength(definition.output.length);
    }
  });
});

describe('the validation of node types themselves', () => {
  const files = new FileStore();
  files.write({ filename: 'there.png', subfolder: 'sub', type: 'output' }, new Uint8Array());

  it('rejects a missing picture, with the real message', () => {
    const loader = sandboxNodes().get('LoadImage');
    expect(loader?.validate?.({ image: 'nosuch.png' }, files)).toBe('Invalid image file: nosuch.png');
    expect(loader?.validate?.({ image: 'sub/there.png [output]' }, files)).toBe(true);
  });

  it('accepts any model name', () => {
    const loader = sandboxNodes().get('CheckpointLoaderSimple');
    expect(loader?.validates).toEqual(['ckpt_name']);
    expect(loader?.validate?.({ ckpt_name: 'mine.safetensors' }, files)).toBe(true);
  });
});

describe('a signature', () => {
  it('describes inputs with types, defaults, limits, choices and options, and outputs with names', () => {
    const signature = parseSignature(
      'Example(image: IMAGE, text?: STRING="a, b" multiline, size: INT=512 0..16384 /8, mode: [one|two], ' +
        'newer: COMBO$letters="y", model_name: @models, seed: SEED) -> IMAGE, rest: MASK[]',
      new Map([
        ['$letters', ['x', 'y']],
        ['@models', ['m.safetensors']],
      ]),
    );
    expect(signature).toMatchObject({
      classType: 'Example',
      required: {
        image: ['IMAGE'],
        size: ['INT', { default: 512, min: 0, max: 16384, step: 8 }],
        mode: [['one', 'two']],
        newer: ['COMBO', { options: ['x', 'y'], default: 'y' }],
        model_name: [['m.safetensors']],
        seed: ['INT', { max: 18446744073709551615n, control_after_generate: true }],
      },
      optional: { text: ['STRING', { default: 'a, b', multiline: true }] },
      outputs: [{ name: 'IMAGE' }, { name: 'rest', type: 'MASK', isList: true }],
      models: ['model_name'],
    });
  });

  it("throws if it can't be parsed", () => {
    expect(() => parseSignature('Example(size: INT=) -> INT', new Map())).toThrow(
      'Not understood in Example',
    );
    expect(() => parseSignature('Example(a: $nothing) -> INT', new Map())).toThrow('No list $nothing');
  });
});

/** What users see of a pack; members have addresses as in the real registry, and nobody sees those. */
function words(): string {
  return JSON.stringify(
    sandboxPacks.map(({ record, versions }) => ({ ...record, versions, publisher: undefined })),
  );
}

it('the packs that people practice with contain no markup, no lures and no e-mail addresses', () => {
  expect(words()).not.toMatch(/<\w|\]\(|phish|@/i);
});
