import { describe, expect, it } from 'vitest';
import {
  compareOutput,
  distanceText,
  type OutputComparison,
} from '../../../src/core/comparison/compareOutput';
import { encodePixels, pngPixels } from '../../../src/core/comparison/pngPixels';

function compare(
  extension: string,
  expected: Uint8Array,
  actual: Uint8Array,
  threshold?: number,
): OutputComparison {
  return compareOutput({ extension, expected, actual }, threshold, pngPixels);
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

const wave = (samples: string, comment: string): Buffer =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WAVE'),
    chunk('fmt ', Buffer.from('format')),
    chunk('LIST', Buffer.from(comment)),
    chunk('data', Buffer.from(samples)),
  ]);

function block(type: number, data: string, isLast = false): Buffer {
  return Buffer.concat([Buffer.from([type | (isLast ? 0x80 : 0), 0, 0, data.length]), Buffer.from(data)]);
}

const flac = (frames: string, comment: string): Buffer =>
  Buffer.concat([
    Buffer.from('fLaC'),
    block(0, 'stream information'),
    block(4, comment, true),
    Buffer.from(frames),
  ]);

describe('compareOutput', () => {
  it.each([
    ['.wav', wave('abc', 'one'), wave('abc', 'another'), wave('abd', 'one')],
    ['.flac', flac('abc', 'one'), flac('abc', 'another'), flac('abd', 'one')],
  ])('tells texts in a %s file from its sound', (extension, kept, retold, other) => {
    expect(compare(extension, kept, Buffer.from(kept))).toEqual({ verdict: 'same' });
    expect(compare(extension, kept, retold)).toEqual({
      verdict: 'same',
      message: 'Only metadata differs, such as the embedded workflow.',
    });
    expect(compare(extension, kept, other)).toEqual({ verdict: 'different', message: 'The files differ.' });
  });

  it('takes no broken file for the same', () => {
    const [one, other] = [wave('abc', 'one').subarray(0, 40), wave('abc', 'two').subarray(0, 40)];
    expect(compare('.wav', one, other).verdict).toBe('different');
    expect(compare('.flac', Buffer.from('fLaC\x84\0\0\0a'), Buffer.from('fLaC\x84\0\0\0a!')).verdict).toBe(
      'different',
    );
    expect(compare('.wav', Buffer.from('RIFF    WAVEa'), Buffer.from('RIFF    WAVEb')).verdict).toBe(
      'different',
    );
  });

  it('knows no distance of other pictures, and says so', () => {
    expect(compare('.webp', Buffer.from('a'), Buffer.from('b'), 100)).toEqual({
      verdict: 'different',
      message: 'The files differ. Color differences are computed only for still PNG images.',
    });
    expect(compare('.png', Buffer.from('a'), Buffer.from('b'), 100).verdict).toBe('different');
  });

  it('passes a picture at the threshold, and none beyond', () => {
    const picture = (value: number): Uint8Array =>
      encodePixels({ width: 1, height: 1, data: Uint8Array.of(value, value, value, 255) });
    const { distance = NaN, verdict, pictures } = compare('.png', picture(100), picture(101));
    expect(verdict).toBe('different');
    expect(pictures).toHaveLength(2);
    expect(compare('.png', picture(100), picture(101), distance).verdict).toBe('close');
    expect(compare('.png', picture(100), picture(101), distance * 0.99).verdict).toBe('different');
    expect(compare('.png', picture(100), picture(101), 0).verdict).toBe('different');
  });

  it('names the first line of a text that differs, near the difference', () => {
    expect(compare('.json', Buffer.from('a\nb\nc'), Buffer.from('a\nb!\nc')).message).toBe(
      'Line 2 is "b!", expected "b".',
    );
    expect(compare('.txt', Buffer.from('a'), Buffer.from('a\n')).message).toBe(
      'Line 1 differs only in invisible characters, such as spaces and line breaks.',
    );
    const long = 'x'.repeat(1_000);
    expect(compare('.txt', Buffer.from(`${long}1`), Buffer.from(`${long}2`)).message).toBe(
      `Line 1 is "…${'x'.repeat(20)}2", expected "…${'x'.repeat(20)}1".`,
    );
  });
});

describe('distanceText', () => {
  it('never rounds a distance to nothing', () => {
    expect([0, 0.000123456, 1.23456, 100].map(distanceText)).toEqual(['0', '0.000123', '1.23', '100']);
  });
});
