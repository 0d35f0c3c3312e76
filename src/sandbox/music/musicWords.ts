import { t } from '../../core/safety/localize';
import { seededRandom } from '../drawing/random';

const openings = 'Quiet Golden Slow Bright Hidden Paper Northern Soft'.split(' ');
const things = 'Harbour Lanterns Orchard Tide Staircase Meadow Signal Clockwork'.split(' ');
const moods = 'calm warm dreamy hopeful gentle'.split(' ');
const sounds = ['sine pads', 'soft lead', 'chords', 'melody'];

/** The title of a piece of music: the same for the same prompt and stream. */
export function musicWords(
  prompt: string,
  stream: number,
): { readonly title: string; readonly tags: readonly string[]; readonly summary: string } {
  const random = seededRandom(seedOf(prompt) + stream);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const title = `${pick(openings)} ${pick(things)}`;
  const asked = prompt
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3)
    .slice(0, 2);
  const tags = [...new Set([...asked, pick(moods), pick(sounds), '72 BPM'])];
  return { title, tags, summary: t`A sandbox tune in the spirit of “${prompt.trim().slice(0, 80)}”.` };
}

/** Hashes a text to a number, the same on every machine. */
export function seedOf(text: string): number {
  let seed = 7;
  for (const character of text) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647;
  return seed;
}
