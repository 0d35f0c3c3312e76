import { peakCount } from '../contract/constants';

/**
 * The loudest value of each of `peakCount` equal parts, scaled so that the loudest is 1: a quiet piece has a shape
 * too.
 * @param samples -1..1; channels may be interleaved, since the loudest one counts
 */
export function findTrackPeaks(...channels: readonly Float32Array[]): number[] {
  const peaks = Array.from({ length: peakCount }, (_, part) =>
    Math.max(...channels.map((samples) => loudest(samples, part))),
  );
  const top = Math.max(...peaks);
  return top === 0 ? peaks : peaks.map((peak) => Math.round((peak / top) * 1000) / 1000);
}

function loudest(samples: Float32Array, part: number): number {
  const start = Math.floor((samples.length * part) / peakCount);
  const end = Math.floor((samples.length * (part + 1)) / peakCount);
  let top = 0;
  for (let at = start; at < end; at += 1) top = Math.max(top, Math.abs(samples[at] ?? 0));
  return top;
}
