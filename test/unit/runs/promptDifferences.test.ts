import { describe, expect, it } from 'vitest';
import { promptDifferences } from '../../../src/core/runs/promptDifferences';

const inputs = {
  seed: 5,
  steps: 20,
  sampler_name: 'euler',
  model: ['1', 0],
  text: 'a lighthouse at the sea, early morning fog',
};

function prompt(changes: object = {}, more: object = {}): string {
  return JSON.stringify({
    '1': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'a.safetensors' } },
    '3': {
      class_type: 'KSampler',
      inputs: { ...inputs, ...changes },
    },
    ...more,
  });
}

describe('what a run changes of the one before', () => {
  it('is told by input, with the value before and now', () => {
    expect(promptDifferences(prompt(), prompt({ steps: 30, sampler_name: 'dpmpp_2m' }))).toEqual([
      'steps 20 → 30',
      'sampler_name euler → dpmpp_2m',
    ]);
  });

  it('is of a long text the words that changed', () => {
    const [words] = promptDifferences(
      prompt(),
      prompt({ text: 'a lighthouse at the sea, late evening fog' }),
    );
    expect(words).toBe('text “…late evening fog”');
  });

  it('is nodes that came or went, and links that lead elsewhere', () => {
    const lora = { '7': { class_type: 'LoraLoader', _meta: { title: 'Ink' }, inputs: {} } };
    const changed = prompt({ model: ['7', 0] }, lora);
    expect(promptDifferences(prompt(), changed)).toEqual(['model from Ink', 'added Ink']);
    expect(promptDifferences(prompt({}, lora), prompt())).toEqual(['without Ink']);
  });

  it('is nothing where only blanks or seeds are others', () => {
    const spaced = JSON.stringify(JSON.parse(prompt({ seed: 6 })), null, 2);
    expect(promptDifferences(prompt(), spaced, new Set(['3.seed']))).toEqual([]);
  });

  it('is not looked for in text that is no prompt', () => {
    expect(promptDifferences('', prompt())).toHaveLength(2);
    expect(promptDifferences('{', '[]')).toEqual([]);
  });
});
