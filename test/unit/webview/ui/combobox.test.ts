import { describe, expect, it } from 'vitest';
import { matching } from '../../../../src/webview/ui/combobox';

const options = ['KSampler.seed', 'KSampler.sampler_name', 'sampler', 'VAELoader.vae_name'].map((value) => ({
  value,
}));

describe('a searchable list', () => {
  it.each([
    ['', [0, 1, 2, 3]],
    // What begins with it, then what has a word that does, then the rest.
    ['Sampler', [2, 1, 0]],
    ['name  vae', [3]],
    ['eulr', []],
  ])('finds what contains all words: %j', (text, found) => {
    expect(matching(options, text)).toEqual(found.map((index) => options[index]));
  });
});
