import { indexMembers, MemberIndexError, type MemberRange } from '../../json/memberIndex';
import { budgets } from '../../safety/budgets';

/** The texts in a file (workflows 1.5), the prompt in API format; unchanged, so NaN stays NaN. */
export interface EmbeddedWorkflows {
  readonly prompt?: string | undefined;
  readonly workflow?: string | undefined;
}

/** Collects the tags of a file; the first text of each kind counts. */
export class FoundTexts {
  #prompt: string | undefined;
  #workflow: string | undefined;
  #left = budgets.embeddedText;

  get isComplete(): boolean {
    return this.#prompt !== undefined && this.#workflow !== undefined;
  }

  get texts(): EmbeddedWorkflows {
    return { prompt: this.#prompt, workflow: this.#workflow };
  }

  /** Whether a tag of this name can add anything: unneeded tags are neither read nor inflated. */
  wants(name: string): boolean {
    switch (keyOf(name)) {
      case 'prompt':
        return this.#prompt === undefined;
      case 'workflow':
        return this.#workflow === undefined;
      case 'comment':
      case 'description':
        return !this.isComplete;
      default:
        return false;
    }
  }

  get left(): number {
    return this.#left;
  }

  /** Counts bytes before they are read or inflated; false if that would be too much for one file. */
  takes(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  tag(name: string, value: string): void {
    const given = withoutZeros(value).trim();
    // Some nodes encode the text of a video's tag twice.
    const text = given.startsWith('"') ? stringOf(given)?.trim() : given;
    if (text === undefined || !isObject(text)) return;
    switch (keyOf(name)) {
      case 'prompt':
        this.#prompt ??= text;
        break;
      case 'workflow':
        this.#workflow ??= text;
        break;
      case 'comment':
      case 'description':
        this.members(text);
        this.#bare(text);
        break;
    }
  }

  #bare(text: string): void {
    if (this.#prompt !== undefined || this.#workflow !== undefined) return;
    if (memberOf(text, 'nodes')?.startsWith('[') === true) this.#workflow = text;
    else if (/"class_type"\s*:/.test(text)) this.#prompt = text;
  }

  /** A text such as `workflow:{…}`. */
  labelled(value: string): void {
    const label = splitTag(value);
    if (label) this.tag(label.name, label.text);
  }

  /** The members `prompt` and `workflow` at a path: texts, or objects cut out of the text. */
  members(text: string, path: readonly string[] = []): void {
    let object: string | undefined = text;
    for (const name of path) object = object === undefined ? undefined : memberOf(object, name);
    if (object === undefined) return;
    for (const name of ['prompt', 'workflow']) {
      const value = memberOf(object, name);
      if (value === undefined) continue;
      const words = value.startsWith('"') ? stringOf(value) : value;
      if (words !== undefined) this.tag(name, words);
    }
  }
}

export function splitTag(value: string): { readonly name: string; readonly text: string } | undefined {
  const label = /^\s{0,16}(prompt|workflow)\s{0,16}:/i.exec(value.slice(0, longestLabel));
  const name = label?.[1];
  return label && name !== undefined ? { name, text: value.slice(label[0].length) } : undefined;
}

/** In characters, including surrounding spaces. */
export const longestLabel = 64;

function keyOf(name: string): string {
  return name.length > longestLabel ? '' : name.trim().toLowerCase();
}

function withoutZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return text.slice(0, end);
}

/** Workflows are objects; other programs use the same names for other things, such as the text of a prompt. */
function isObject(text: string): boolean {
  return text.startsWith('{') && text.endsWith('}');
}

/** The text of an object's member. Nothing is parsed: a model file has its meshes in the same text. */
function memberOf(text: string, name: string): string | undefined {
  const range = rangesIn(text)?.get(name);
  return range && text.slice(range.start, range.end);
}

function rangesIn(text: string): ReadonlyMap<string, MemberRange> | undefined {
  try {
    return indexMembers(text);
  } catch (error) {
    if (error instanceof MemberIndexError) return undefined;
    throw error;
  }
}

function stringOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
