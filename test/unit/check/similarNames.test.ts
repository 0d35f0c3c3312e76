import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { similarNames } from '../../../src/core/check/similarNames';

describe('similarNames', () => {
  it.each([
    ['KSampeler', ['KSampler']],
    ['ksampler', ['KSampler']],
    ['KSampler ', ['KSampler']],
    ['Load Image', ['LoadImage']],
    ['LoadImgae', ['LoadImage']],
    ['VAEDecode', ['VAEDecode', 'VAEEncode']],
    ['Xyz', []],
    ['', []],
  ])('%j: %j', (text, names) => {
    expect(similarNames(text, ['VAEEncode', 'KSampler', 'LoadImage', 'VAEDecode', 'a', 'b'])).toEqual(names);
  });

  it('puts names first that differ only in case and spaces', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][a-z0-9]{3,12}$/), (name) => {
        expect(similarNames(` ${name.toUpperCase()}`, ['Zzzzzzzzzzzzzzzzzzz', name])[0]).toBe(name);
      }),
    );
  });
});
