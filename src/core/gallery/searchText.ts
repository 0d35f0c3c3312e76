import { isRecord } from '../protocol/wire';
import { budgets } from '../safety/budgets';

/** A longer prompt is not searched: reading it would be felt. */
const longestPrompt = 2_000_000;
/** Characters of one text. */
const longestText = 400;

/** The texts in the inputs of a prompt, longest first, in lower case and cut. */
export function searchText(promptText: string | undefined): string {
  if (promptText === undefined || promptText.length > longestPrompt) return '';
  const texts = new Set(textsIn(promptText));
  const cut = [...texts].sort((a, b) => b.length - a.length).map((text) => ownText(text, longestText));
  return ownText(cut.join('\n'), budgets.gallerySearchText).toLowerCase();
}

/** The start of a text, without the rest: what `slice` returns keeps the entire text in memory. */
export function ownText(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text.slice(0, most)).join('');
}

function textsIn(promptText: string): readonly string[] {
  try {
    return membersOf(JSON.parse(promptText)).flatMap((node) => {
      const inputs = isRecord(node) ? membersOf(node['inputs']) : [];
      return inputs.filter((value) => typeof value === 'string');
    });
  } catch {
    return [];
  }
}

function membersOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}
