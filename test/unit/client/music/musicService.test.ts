import { expect, it } from 'vitest';
import { musicPriceOf, musicServiceOf } from '../../../../src/core/client/music/musicService';

it.each([
  ['', true, 'sandbox'],
  ['  ', true, 'sandbox'],
  ['', false, 'https://api.comfy.org'],
  ['sandbox', false, 'sandbox'],
  ['https://api.comfy.org', true, 'https://api.comfy.org'],
  ['http://127.0.0.1:9000', true, 'http://127.0.0.1:9000'],
])(
  'music with the setting “%s” and the sandbox selected: %s is made by %s',
  (setting, isSandbox, service) => {
    expect(musicServiceOf(setting, isSandbox)).toBe(service);
  },
);

it('a price is told where it is known', () => {
  expect(musicPriceOf('sandbox').creditsPerSecond).toBe(0);
  expect(musicPriceOf('https://api.comfy.org/').creditsPerSecond).toBeGreaterThan(0);
  expect(musicPriceOf('https://music.example.org').creditsPerSecond).toBeNull();
  expect(musicPriceOf('no address').creditsPerSecond).toBeNull();
});
