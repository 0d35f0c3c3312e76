import { describe, expect, it } from 'vitest';
import { captionValues, captionWords } from '../../../src/core/diff/captionWords';

function run(inputs: object, seed?: string): string {
  const nodes = { '3': { class_type: 'KSampler', inputs: { seed: 1, model: ['1', 0], ...inputs } } };
  return captionValues({
    promptText: JSON.stringify(nodes),
    seeds: seed === undefined ? {} : { '3.seed': seed },
  });
}

describe('the caption of a run', () => {
  it('is its seed first, with every digit, then what not all runs have', () => {
    const [big, small] = ['18446744073709551615', '42'];
    expect(captionWords([run({ steps: 20, cfg: 8 }, big), run({ steps: 30, cfg: 8 }, small)])).toEqual([
      [`seed ${big}`, 'steps 20'],
      ['seed 42', 'steps 30'],
    ]);
  });

  it('is the seed even if all have it, and nothing else of a single run', () => {
    expect(captionWords([run({ steps: 20 }, '42')])).toEqual([['seed 42']]);
    expect(captionWords([run({ steps: 20 }, '42'), run({ steps: 30 }, '42')])).toEqual([
      ['seed 42', 'steps 20'],
      ['seed 42', 'steps 30'],
    ]);
  });

  it('shows where a long text begins to differ', () => {
    const [dawn, dusk] = ['early morning fog', 'late evening fog'].map(
      (end) => `a lighthouse at the sea, ${end}`,
    );
    expect(captionWords([run({ text: dawn }), run({ text: dusk })])).toEqual([
      ['text “…early morning fog”'],
      ['text “…late evening fog”'],
    ]);
  });

  it('names a value that only some runs have', () => {
    expect(captionWords([run({ denoise: 0.5 }), run({}), run({})])).toEqual([['denoise 0.5'], [], []]);
  });

  it('is small and harmless whatever the prompt is', () => {
    const strange = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`\u202e${index}${'y'.repeat(300)}`, 'z'.repeat(9_000)]),
    );
    const values = run(strange, '1'.repeat(9_000));
    expect(values.length).toBeLessThan(3_000);
    for (const words of captionWords([values, run({})])) {
      expect(words.length).toBeLessThanOrEqual(4);
      for (const each of words) expect(each).toMatch(/^.{0,60}$/);
    }
    const broken = ['{', '[]', 'null', '{"3": {"inputs": 5}}'].map((promptText) =>
      captionValues({ promptText, seeds: {} }),
    );
    expect(captionWords(broken)).toEqual([[], [], [], []]);
    expect(captionWords([captionValues({ seeds: {} })])).toEqual([[]]);
  });
});
