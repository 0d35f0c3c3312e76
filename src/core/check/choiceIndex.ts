import { listAt, countAt } from '../safety/lists';
import { exactEquals } from '../json/exactEquals';
import type { ExactValue } from '../json/exactValue';
import { memoizeByObject } from '../safety/memoizeByObject';

const mostAlike = 3;
/** A word that more choices share says little. */
const mostWithWord = 200;

/** The choices of one list, found by value and by spelling: lists of a server have thousands, and files name many. */
class ChoiceIndex {
  private readonly exact = new Set<string>();
  private readonly others: ExactValue[] = [];
  private readonly bySpelling = new Map<string, string[]>();
  private readonly byFile = new Map<string, string[]>();
  private byWord: Map<string, string[]> | undefined;

  constructor(choices: readonly ExactValue[]) {
    for (const choice of choices) {
      if (typeof choice !== 'string') this.others.push(choice);
      else if (!this.exact.has(choice)) this.add(choice);
    }
  }

  has(value: ExactValue): boolean {
    if (typeof value === 'string') return this.exact.has(value);
    return this.others.some((choice) => exactEquals(choice, value));
  }

  /** Choices with the same name, but other separators, case, or blanks. */
  spelledLike(value: string): readonly string[] {
    return listAt(this.bySpelling, spelled(value));
  }

  /** The same file in other folders. Only file names count, since a last part such as "v2" says nothing. */
  filesLike(value: string): readonly string[] {
    const file = fileOf(spelled(value));
    return isFileName(file) ? listAt(this.byFile, file) : [];
  }

  /** The choices whose base names share most of their words with that of a value, best first. */
  namesLike(value: string, most: number): readonly string[] {
    const wanted = wordsOf(value);
    const shared = new Map<string, number>();
    for (const word of wanted) {
      for (const choice of this.withWord(word)) shared.set(choice, countAt(shared, choice) + word.length);
    }
    const likeness = ([choice, letters]: readonly [string, number]): number =>
      letters / (lettersIn(wanted) + lettersIn(wordsOf(choice)));
    return [...shared]
      .map((each) => ({ choice: each[0], likeness: likeness(each) }))
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, most)
      .map(({ choice }) => choice);
  }

  private withWord(word: string): readonly string[] {
    if (!this.byWord) {
      this.byWord = new Map();
      for (const choice of this.exact)
        for (const each of wordsOf(choice)) put(this.byWord, each, choice, mostWithWord + 1);
    }
    const found = listAt(this.byWord, word);
    return found.length > mostWithWord ? [] : found;
  }

  private add(choice: string): void {
    this.exact.add(choice);
    const plain = spelled(choice);
    put(this.bySpelling, plain, choice);
    put(this.byFile, fileOf(plain), choice);
  }
}

export const indexOfChoices = memoizeByObject((choices: readonly ExactValue[]) => new ChoiceIndex(choices));

function put(index: Map<string, string[]>, key: string, choice: string, most = mostAlike): void {
  const known = index.get(key);
  if (!known) index.set(key, [choice]);
  else if (known.length < most) known.push(choice);
}

/** The words and numbers of a base name: `sd`, `xl` and `1.0` of `models/sd_xl-1.0.safetensors`. */
function wordsOf(name: string): ReadonlySet<string> {
  const file = fileOf(spelled(name));
  const base = isFileName(file) ? file.slice(0, file.lastIndexOf('.')) : file;
  return new Set(base.slice(0, longestName).match(/\p{L}+|\p{N}+(?:\.\p{N}+)*/gu));
}

const longestName = 200;

function lettersIn(words: ReadonlySet<string>): number {
  return [...words].reduce((sum, { length }) => sum + length, 0);
}

function spelled(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/');
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isFileName(name: string): boolean {
  return /^\w{2,12}$/.test(name.slice(name.lastIndexOf('.') + 1)) && name.includes('.');
}
