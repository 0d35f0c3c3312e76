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

describe('what a run changed since the previous one', () => {
  it('is listed by input, with old and new value', () => {
    expect(promptDifferences(prompt(), prompt({ steps: 30, sampler_name: 'dpmpp_2m' }))).toEqual([
      'steps 20 → 30',
      'sampler_name euler → dpmpp_2m',
    ]);
  });

  it('shows only the changed words of a long text', () => {
    const [words] = promptDifferences(
      prompt(),
      prompt({ text: 'a lighthouse at the sea, late evening fog' }),
    );
    expect(words).toBe('text “…late evening fog”');
  });

  it('lists added and removed nodes and changed links', () => {
    const lora = { '7': { class_type: 'LoraLoader', _meta: { title: 'Ink' }, inputs: {} } };
    const changed = prompt({ model: ['7', 0] }, lora);
    expect(promptDifferences(prompt(), changed)).toEqual(['model from Ink', 'added Ink']);
    expect(promptDifferences(prompt({}, lora), prompt())).toEqual(['removed Ink']);
  });

  it('is empty when only whitespace or seeds differ', () => {
    const spaced = JSON.stringify(JSON.parse(prompt({ seed: 6 })), null, 2);
    expect(promptDifferences(prompt(), spaced, new Set(['3.seed']))).toEqual([]);
  });

  it('is empty for text that is not a prompt', () => {
    expect(promptDifferences('', prompt())).toHaveLength(2);
    expect(promptDifferences('{', '[]')).toEqual([]);
  });
});
