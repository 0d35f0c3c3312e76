import { describe, expect, it } from 'vitest';

import { boundedPattern } from '../../../src/core/safety/boundedPattern';

const matches = (source: string, text: string): boolean | undefined =>
  boundedPattern(source, { steps: 1_000_000 })?.test(text);

describe('boundedPattern', () => {
  it.each([
    ['^VAE', 'VAE Decode', true],
    ['^VAE', 'a VAE', false],
    ['.*up(scale|sample).*$', 'an upsample', true],
    ['(_|\\b)pos(itive|_|\\b)', 'positive', true],
    ['seed|noise', 'noise_seed', true],
    ['^[(|+]+a{2,3}$', '+(aaa', true],
    ['^a\\.*$', 'a...', true],
    ['(ab)+', 'abab', true],
    ['^.*?seed.*?', 'steps', false],
    ['(a)\\1', 'baa', true],
    ['.*', '', true],
  ])('tests %s as JavaScript does', (source, text, expected) => {
    expect(matches(source, text)).toBe(expected);
    expect(new RegExp(source, 'u').test(text)).toBe(expected);
  });

  it.each(['(a+)+$', '(a|a)*$', '((a?)b)*', '(?:a{1,9}){5}', 'a'.repeat(501)])(
    'does not read %s, which has no bound',
    (source) => {
      expect(boundedPattern(source, { steps: 1e9 })).toBeUndefined();
    },
  );

  it.each(['(a|a)'.repeat(60), 'a*'.repeat(20), 'a?'.repeat(60), '(a+)\\1\\1\\1'])(
    'does not test %s',
    (source) => {
      expect(matches(`${source}$`, `${'a'.repeat(100)}b`)).toBeUndefined();
    },
  );

  it('is null for what is no regular expression', () => {
    expect(boundedPattern('[', { steps: 10 })).toBeNull();
  });

  it('counts its steps, once for each text', () => {
    const count = { steps: 100 };
    const pattern = boundedPattern('a+', count);
    expect([pattern?.test('caat'), pattern?.test('caat'), count.steps]).toEqual([true, true, 75]);
    expect(pattern?.test('a much longer text')).toBeUndefined();
  });
});
