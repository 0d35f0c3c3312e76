import { exactEquals } from '../json/exactEquals';
import type { ExactValue } from '../json/exactValue';

/** How many choices of one spelling are proposed. */
const mostAlike = 3;

/** The choices of one list, found by value and by spelling: lists of a server have thousands, and files name many. */
class ChoiceIndex {
  private readonly exact = new Set<string>();
  private readonly others: ExactValue[] = [];
  private readonly bySpelling = new Map<string, string[]>();
  private readonly byFile = new Map<string, string[]>();

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

  /** The same name with other separators, case or blanks. */
  spelledLike(value: string): readonly string[] {
    return this.bySpelling.get(spelled(value)) ?? [];
  }

  /** The same file in other folders; only file names, since a last part such as "v2" says nothing. */
  filesLike(value: string): readonly string[] {
    const file = fileOf(spelled(value));
    return isFileName(file) ? (this.byFile.get(file) ?? []) : [];
  }

  private add(choice: string): void {
    this.exact.add(choice);
    const plain = spelled(choice);
    put(this.bySpelling, plain, choice);
    put(this.byFile, fileOf(plain), choice);
  }
}

const indexes = new WeakMap<readonly ExactValue[], ChoiceIndex>();

/** The index of a list of choices; made once. */
export function indexOfChoices(choices: readonly ExactValue[]): ChoiceIndex {
  let index = indexes.get(choices);
  if (!index) indexes.set(choices, (index = new ChoiceIndex(choices)));
  return index;
}

function put(index: Map<string, string[]>, key: string, choice: string): void {
  const known = index.get(key);
  if (!known) index.set(key, [choice]);
  else if (known.length < mostAlike) known.push(choice);
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

/** A name with an ending. */
function isFileName(name: string): boolean {
  return /^\w{2,12}$/.test(name.slice(name.lastIndexOf('.') + 1)) && name.includes('.');
}
