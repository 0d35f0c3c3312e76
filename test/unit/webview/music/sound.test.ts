import { describe, expect, it } from 'vitest';
import { findTrackPeaks } from '../../../../src/webview/music/peaks';
import { encodeWav } from '../../../../src/webview/music/wavBytes';
import { clockTime, musicPriceText, spokenTime } from '../../../../src/webview/music/words';
import { decodeWav } from '../../../support/wavFile';

describe('decoded sound', () => {
  it('is a WAV file with the same samples', () => {
    const samples = Float32Array.from([0, 0.5, -0.5, 1, -1, 2]);
    const read = decodeWav(new Uint8Array(encodeWav(samples, 44_100, 2)));
    expect(read?.rate).toBe(44_100);
    expect(read?.channels.map((channel) => Array.from(channel, (value) => Number(value.toFixed(2))))).toEqual(
      [
        [0, -0.5, -1],
        [0.5, 1, 1],
      ],
    );
  });

  it('has peaks with a maximum of 1, even if it is quiet or has fewer samples than peaks', () => {
    const rising = Float32Array.from({ length: 2400 }, (_, at) => (at / 2400) * -0.1);
    const peaks = findTrackPeaks(rising);
    expect(peaks).toHaveLength(240);
    expect(peaks.at(-1)).toBe(1);
    expect(peaks).toEqual([...peaks].sort((a, b) => a - b));
    expect(new Set(findTrackPeaks(new Float32Array(1000)))).toEqual(new Set([0]));
    expect(Math.max(...findTrackPeaks(Float32Array.from([0.2, 0.1])))).toBe(1);
  });
});

describe('times and prices', () => {
  it('read as a clock, as speech and as an estimate', () => {
    expect([0, 9.9, 65, 360].map(clockTime)).toEqual(['0:00', '0:09', '1:05', '6:00']);
    expect([1, 30, 61, 120].map(spokenTime)).toEqual([
      '1 second',
      '30 seconds',
      '1 minute 1 second',
      '2 minutes 0 seconds',
    ]);
    const price = { creditsPerSecond: 0.5275, dollarsPerSecond: 0.0025 };
    expect(musicPriceText(30, price)).toBe('about 15.8 credits ($0.075)');
    expect(musicPriceText(30, { creditsPerSecond: 0, dollarsPerSecond: 0 })).toBe('');
    expect(musicPriceText(30, { creditsPerSecond: null, dollarsPerSecond: null })).toBe('price unknown');
  });
});
