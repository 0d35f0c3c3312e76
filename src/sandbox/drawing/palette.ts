import type { Color } from './picture';
import { hashText, seededRandom } from './random';

/** The colors of one scene. */
export interface Palette {
  readonly zenith: Color;
  readonly horizon: Color;
  readonly light: Color;
  readonly far: Color;
  readonly near: Color;
  readonly stars: boolean;
  readonly water: boolean;
}

/** Hue, saturation (0 to 1) and lightness (0 to 1) of zenith, horizon, light, far and near. */
type Tones = readonly [zenith: Color, horizon: Color, light: Color, far: Color, near: Color];

/** Words that set the mood of a scene, with its tones; the last match in a prompt wins. */
const moods: readonly (readonly [words: RegExp, tones: string])[] = [
  [
    /\b(day|sky|sunny|morning|meadow)\b/,
    '212 0.62 0.46, 200 0.7 0.85, 48 1 0.88, 214 0.3 0.6, 128 0.34 0.24',
  ],
  [
    /\b(forest|jungle|garden|green|moss|tree|trees)\b/,
    '168 0.34 0.42, 68 0.5 0.84, 60 0.9 0.9, 150 0.24 0.5, 150 0.46 0.14',
  ],
  [
    /\b(sunset|dusk|autumn|fire|orange|golden|dawn)\b/,
    '254 0.42 0.32, 26 0.95 0.7, 44 1 0.8, 342 0.4 0.5, 262 0.46 0.14',
  ],
  [
    /\b(desert|sand|canyon|dune|mars|clay)\b/,
    '200 0.5 0.58, 34 0.8 0.82, 46 1 0.9, 22 0.5 0.6, 14 0.58 0.28',
  ],
  [
    /\b(snow|winter|ice|frozen|glacier|arctic)\b/,
    '214 0.46 0.6, 196 0.5 0.93, 30 0.9 0.94, 212 0.34 0.76, 216 0.36 0.44',
  ],
  [
    /\b(ocean|sea|lake|river|water|beach|island|fish)\b/,
    '206 0.68 0.42, 186 0.6 0.84, 44 1 0.9, 198 0.4 0.54, 198 0.58 0.18',
  ],
  [
    /\b(night|moon|stars?|space|galaxy|nebula|dark)\b/,
    '232 0.58 0.09, 226 0.48 0.36, 52 0.7 0.94, 230 0.36 0.28, 234 0.5 0.07',
  ],
  [
    /\b(neon|cyberpunk|city|synthwave|robot|future)\b/,
    '256 0.62 0.14, 316 0.78 0.54, 186 1 0.8, 276 0.5 0.36, 246 0.58 0.1',
  ],
];

function tonesOf(text: string): Tones {
  return text.split(', ').map((tone) => tone.split(' ').map(Number)) as unknown as Tones;
}

const watery = /\b(ocean|sea|lake|river|water|beach|island|reflections?|fish|rain)\b/;

/** Picks colors by the words of a prompt and varies them a little by the whole text, so unknown texts differ too. */
export function paletteFor(prompt: string, variation: number): Palette {
  const text = prompt.toLowerCase();
  const random = seededRandom(hashText(text) ^ variation);
  const mood = moods.filter(([words]) => words.test(text)).at(-1)?.[1];
  const tones = mood === undefined ? ownTones(random) : tonesOf(mood);
  const turn = (random() - 0.5) * (mood === undefined ? 0 : 16);
  const [zenith, horizon, light, far, near] = tones.map(([hue, saturation, lightness]) =>
    fromHsl(hue + turn, saturation, lightness),
  ) as unknown as Tones;
  const wet = random() < 0.35;
  return { zenith, horizon, light, far, near, stars: tones[0][2] < 0.2, water: watery.test(text) || wet };
}

function ownTones(random: () => number): Tones {
  const hue = random() * 360;
  const contrast = hue + 150 + random() * 60;
  return [
    [hue, 0.4 + random() * 0.3, 0.28 + random() * 0.2],
    [contrast, 0.6 + random() * 0.3, 0.78],
    [contrast + 20, 1, 0.88],
    [hue + 20, 0.3, 0.52],
    [hue - 10, 0.48, 0.14],
  ];
}

function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const k = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
