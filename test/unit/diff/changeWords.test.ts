import { describe, expect, it } from 'vitest';
import { runChangeTexts } from '../../../src/core/diff/valueDifferences';

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

function words(before: string, now: string, seeds: Readonly<Record<string, string>> = {}): readonly string[] {
  return runChangeTexts({ promptText: before, seeds }, { promptText: now, seeds });
}

describe('what a run changed since the previous one', () => {
  it('is listed by input, with old and new value', () => {
    expect(words(prompt(), prompt({ steps: 30, sampler_name: 'dpmpp_2m' }))).toEqual([
      'steps 20 → 30',
      'sampler_name euler → dpmpp_2m',
    ]);
  });

  it('quotes texts of several words, and empty ones', () => {
    expect(words(prompt({ text: '' }), prompt({ text: 'a red fox' }))).toEqual(['text “” → “a red fox”']);
  });

  it('lists added and removed nodes and changed links', () => {
    const lora = { '7': { class_type: 'LoraLoader', _meta: { title: 'Ink' }, inputs: {} } };
    const changed = prompt({ model: ['7', 0] }, lora);
    expect(words(prompt(), changed)).toEqual(['model from Ink', 'added Ink']);
    expect(words(prompt({}, lora), prompt())).toEqual(['removed Ink']);
  });

  it('shows the value in place of a link to a removed node', () => {
    const text = { '7': { class_type: 'PrimitiveString', inputs: {} } };
    expect(words(prompt({ text: ['7', 0] }, text), prompt({ text: 'fog' }))).toEqual([
      'text fog',
      'removed PrimitiveString',
    ]);
  });

  it('is empty when only whitespace or seeds differ', () => {
    const spaced = JSON.stringify(JSON.parse(prompt({ seed: 6 })), null, 2);
    expect(words(prompt(), spaced, { '3.seed': '6' })).toEqual([]);
  });

  it('is empty for text that is not a prompt', () => {
    expect(words('', prompt())).toHaveLength(2);
    expect(words('{', '[]')).toEqual([]);
  });

  it('shows no outside text that acts or hides', () => {
    const name = `\u202estyle\u0007${'x'.repeat(500)}`;
    const [told = ''] = words(prompt(), prompt({ [name]: '\u202eevil\u0000' }));
    expect(told).toMatch(/^style x+… evil$/);
  });
});
