import { describe, expect, it } from 'vitest';
import { animationSize, filmFacts, mediaSample } from '../../../../src/sandbox/media/mediaSample';

const latin = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes).toString('latin1', from, to);

describe('the samples of the sandbox', () => {
  it('differ by what was asked for, in four bytes only', () => {
    for (const name of ['film', 'animation', 'melody'] as const) {
      const [one, other] = [mediaSample(name, 1), mediaSample(name, 0xfffffffe)];
      expect(mediaSample(name, 1)).toEqual(one);
      const differ = one.filter((byte, at) => byte !== other[at]);
      expect(differ).toHaveLength(4);
    }
  });

  it('are a film as large and as long as is told of it', () => {
    const film = Buffer.from(mediaSample('film', 7));
    const track = film.indexOf('tkhd') + 4;
    expect([track + 76, track + 80].map((at) => film.readUInt32BE(at) / 65_536)).toEqual([
      filmFacts.width,
      filmFacts.height,
    ]);
    const frames = film.indexOf('stts') + 4;
    expect(film.readUInt32BE(frames + 8)).toBe(filmFacts.frame_count);
    expect(filmFacts.frame_count / filmFacts.fps).toBe(filmFacts.duration);
  });

  it('are an animation of whole RIFF chunks', () => {
    const bytes = mediaSample('animation', 7);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect([latin(bytes, 0, 4), latin(bytes, 8, 16)]).toEqual(['RIFF', 'WEBPVP8X']);
    expect(view.getUint32(4, true)).toBe(bytes.length - 8);
    expect([view.getUint16(24, true) + 1, view.getUint16(27, true) + 1]).toEqual([
      animationSize.width,
      animationSize.height,
    ]);
  });

  it('are sound in FLAC', () => {
    expect(latin(mediaSample('melody', 7), 0, 4)).toBe('fLaC');
  });
});
