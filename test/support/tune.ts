/**
 * The sandbox's tune: eight chords of our own, one per fragment of the file, in a seamless loop. It is a formula, so
 * that decoded audio can be compared with the signal that was encoded.
 */

export const tuneRate = 44_100;
/** Samples of one fragment: 43 AAC frames of 1024 samples, close to a second. */
export const fragmentSamples = 43 * 1024;
export const fragmentCount = 8;
const period = fragmentSamples * fragmentCount;

/** Semitones above the root, one list per fragment; the last one is the tune. */
const chords: readonly (readonly number[])[] = [
  [0, 7, 16],
  [0, 7, 16],
  [9, 16, 24],
  [9, 16, 24],
  [5, 12, 21],
  [5, 12, 21],
  [7, 14, 23],
  [7, 14, 23],
];
const melody = [28, 31, 24, 28, 33, 28, 31, 24, 29, 33, 36, 33, 31, 26, 23, 26] as const;
const notes = melody.length;

/** The left and the right value of one sample, -1..1; the tune loops forever. */
export function tuneSample(at: number): readonly [number, number] {
  const place = ((at % period) + period) % period;
  const fragment = Math.floor(place / fragmentSamples);
  const chord = chords[fragment] ?? [];
  const within = (place % fragmentSamples) / fragmentSamples;
  const swell = 0.35 + 0.65 * Math.sin(Math.PI * within);
  const pad =
    chord.reduce((sum, step) => sum + tone(step, place), 0) * 0.1 * swell * Math.sin(Math.PI * within);

  const notePlace = (place / period) * notes;
  const note = melody[Math.floor(notePlace)] ?? 0;
  const since = notePlace % 1;
  const struck = Math.min(1, since * 40) * Math.exp(-4 * since) * Math.min(1, (1 - since) * 40);
  const voice = tone(note, place) * struck * 0.4;
  return [pad + voice * 0.9, pad + voice * 0.6];
}

/** A sine that ends each fragment where it started, so that no chord clicks. */
function tone(semitones: number, place: number): number {
  const cycles = Math.round((110 * 2 ** (semitones / 12) * fragmentSamples) / tuneRate);
  return Math.sin((2 * Math.PI * cycles * place) / fragmentSamples);
}
