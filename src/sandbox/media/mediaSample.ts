import film from './film.mp4';
import animation from './film.webp';
import melody from './melody.flac';

/**
 * What the sandbox saves as video, animation and sound: small files of our own, made once with ffmpeg, because every
 * maintained encoder needs native code. Only PNG pictures follow the prompt.
 */
const samples = { film, animation, melody };

/** What is true of the samples. */
export const filmFacts = { width: 480, height: 272, fps: 16, frame_count: 33, duration: 33 / 16 };
export const animationSize = { width: 240, height: 136 };

/** The sample with four bytes of its own, in a block that players pass over: files of different runs differ. */
export function mediaSample(name: keyof typeof samples, hash: number): Uint8Array {
  const bytes = Buffer.from(samples[name]);
  bytes.writeUInt32BE(hash >>> 0, bytes.indexOf('SEED') + 4);
  return new Uint8Array(bytes);
}
