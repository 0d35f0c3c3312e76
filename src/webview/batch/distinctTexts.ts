/** Texts up to this length (characters) fit beside a picture. */
const short = 20;

/**
 * Leaves out the words that all these texts begin or end with, so that what differs is seen where there is little room.
 * Texts that are short, or differ from their first word to their last, stay as they are.
 */
export function distinctTexts(texts: readonly string[]): readonly string[] {
  if (texts.length < 2 || texts.every(({ length }) => length <= short)) return texts;
  const words = texts.map((text) => text.split(/\s/u));
  // Each text keeps a word of its own.
  const most = Math.min(...words.map(({ length }) => length)) - 1;
  const start = sharedBy(most, (at) => words.map((each) => each[at]));
  const end = sharedBy(most - start, (at) => words.map((each) => each.at(-1 - at)));
  return words.map((each) => {
    const own = each.slice(start, each.length - end).join(' ');
    return `${start > 0 ? '…' : ''}${own}${end > 0 ? '…' : ''}`;
  });
}

/** How many words, at most `most`, are the same in all texts. */
function sharedBy(most: number, wordsAt: (index: number) => readonly (string | undefined)[]): number {
  let count = 0;
  while (count < most && new Set(wordsAt(count)).size === 1) count++;
  return count;
}
