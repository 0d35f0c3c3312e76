import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Catalog, CatalogError } from '../../../src/core/catalog/catalog';
import { parsePythonJson } from '../../../src/core/json/boundedJson';

const text = `{
  "KSampler": {"input": {"required": {"seed": ["INT", {"default": 0, "min": 0, "max": 18446744073709551615}]}},
    "output": ["LATENT"], "name": "KSampler", "description": "a \\"quoted\\" } bracket \\\\"},
  " odd/name 猫": {"input": {"required": {"x": ["FLOAT", {"default": NaN, "min": -Infinity}]}}, "output": []},
  "Broken": {"input": oops},
  "NoDefinition": 3
}`;

describe('Catalog.fromText', () => {
  const catalog = Catalog.fromText(text);

  it('finds every node type by its exact name', () => {
    expect(catalog.classTypes).toEqual(['KSampler', ' odd/name 猫', 'Broken', 'NoDefinition']);
    expect(catalog.size).toBe(4);
    expect(catalog.has('KSampler')).toBe(true);
    expect(catalog.has('ksampler')).toBe(false);
    expect(catalog.has('toString')).toBe(false);
  });

  it('reads a definition once, with every digit', () => {
    const definition = catalog.get('KSampler');
    expect(definition?.inputs[0]?.spec).toMatchObject({ kind: 'int', min: 0n, max: 18446744073709551615n });
    expect(definition?.description).toBe('a "quoted" } bracket \\');
    expect(catalog.get('KSampler')).toBe(definition);
  });

  it("reads what strict JSON can't contain", () => {
    expect(catalog.get(' odd/name 猫')?.inputs[0]?.spec).toMatchObject({
      kind: 'float',
      default: NaN,
      min: -Infinity,
    });
  });

  it("skips what can't be read and keeps the rest", () => {
    expect(catalog.get('Broken')).toBeUndefined();
    expect(catalog.get('NoDefinition')).toBeUndefined();
    expect(catalog.get('Unknown')).toBeUndefined();
    expect([...catalog.definitions()].map(({ classType }) => classType)).toEqual([
      'KSampler',
      ' odd/name 猫',
    ]);
  });

  it('opens an empty answer, and one with a byte order mark', () => {
    expect(Catalog.fromText(' {} ').size).toBe(0);
    expect(Catalog.fromText('\uFEFF{"A": {}}').classTypes).toEqual(['A']);
  });

  it('uses the last of two definitions with the same name', () => {
    const twice = Catalog.fromText('{"A": {"category": "old"}, "A": {"category": "new"}}');
    expect(twice.get('A')?.category).toBe('new');
  });

  const wrong = ['', '{"A": {}', '{"A": {}}}', '{"A" {}}', '{A: {}}', '{"A": {"x": "}', '<html></html>'];
  it.each(wrong)('reports that %j is not a list of definitions', (wrong) => {
    expect(() => Catalog.fromText(wrong)).toThrow(CatalogError);
  });

  it('finds the same members as JSON.parse', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue())), (data) => {
        const written = JSON.stringify(data, undefined, 1);
        const opened = Catalog.fromText(written);
        expect([...opened.classTypes].sort()).toEqual(Object.keys(data).sort());
        expect(JSON.parse(opened.toText())).toEqual(JSON.parse(written));
      }),
    );
  });

  it('throws only CatalogError', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', ' ');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join('')),
        (anything) => {
          try {
            for (const { classType } of Catalog.fromText(anything).definitions())
              expect(anything).toContain(classType);
          } catch (error) {
            expect(error).toBeInstanceOf(CatalogError);
          }
        },
      ),
    );
  });
});

describe('Catalog.fromDefinitions', () => {
  const catalog = Catalog.fromDefinitions({
    Scale: {
      input: {
        required: { by: ['FLOAT', { default: 1, min: 0, max: 8 }], times: ['INT', { max: 2n ** 64n - 1n }] },
        optional: {
          more: ['COMFY_AUTOGROW_V3', { template: { input: { required: { x: ['FLOAT', { min: 2 }] } } } }],
        },
      },
      output: ['IMAGE'],
    },
  });

  it('writes the options of floats as floats and integers with every digit', () => {
    const written = catalog.toText('Scale');
    expect(written).toContain('["FLOAT", {"default": 1.0, "min": 0.0, "max": 8.0}]');
    expect(written).toContain('["INT", {"max": 18446744073709551615}]');
    expect(written).toContain('["FLOAT", {"min": 2.0}]');
  });

  it('answers for one node type or all, and nothing for an unknown one', () => {
    expect(Object.keys(parsePythonJson(catalog.toText()) as object)).toEqual(['Scale']);
    expect(catalog.toText('Other')).toBe('{}');
  });
});
