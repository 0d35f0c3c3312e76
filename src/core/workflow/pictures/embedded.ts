import type { JsonNode } from '../../json/node';
import { textOf } from '../../json/textEdit';
import { parseJson } from '../../json/tree';

/** The texts that a picture, sound, video or model file carries (workflows 1.5), as they were written: NaN stays NaN. */
export interface EmbeddedWorkflows {
  /** API format. */
  readonly prompt?: string;
  /** Graph format. */
  readonly workflow?: string;
}

/** Gathers what the tags of a file say; the first text of each kind counts. */
export class FoundTexts {
  #prompt: string | undefined;
  #workflow: string | undefined;

  get isComplete(): boolean {
    return this.#prompt !== undefined && this.#workflow !== undefined;
  }

  get texts(): EmbeddedWorkflows {
    return {
      ...(this.#prompt === undefined ? {} : { prompt: this.#prompt }),
      ...(this.#workflow === undefined ? {} : { workflow: this.#workflow }),
    };
  }

  /** A tag by its name, in any case. A comment may hold both texts as members of one object. */
  tag(name: string, value: string): void {
    const text = value.replace(/\0+$/, '').trim();
    switch (name.trim().toLowerCase()) {
      case 'prompt':
        if (isObject(text)) this.#prompt ??= text;
        break;
      case 'workflow':
        if (isObject(text)) this.#workflow ??= text;
        break;
      case 'comment':
      case 'description':
        if (isObject(text)) this.members(parseJson(text).root, text);
        break;
    }
  }

  /** A text such as `workflow:{…}`. */
  labelled(value: string): void {
    const [, name, text] = /^\s*(prompt|workflow)\s*:([\s\S]*)$/i.exec(value) ?? [];
    if (name !== undefined && text !== undefined) this.tag(name, text);
  }

  /** The members `prompt` and `workflow` of an object: texts, or objects cut from the text they stand in. */
  members(object: JsonNode | undefined, text: string): void {
    if (object?.kind !== 'object') return;
    for (const name of ['prompt', 'workflow']) {
      const value = object.get(name);
      if (value?.kind === 'string') this.tag(name, value.value);
      else if (value?.kind === 'object') this.tag(name, textOf(text, value));
    }
  }
}

/** Workflows are objects; other programs use the same names for other things, such as the words of a prompt. */
function isObject(text: string): boolean {
  return text.startsWith('{') && text.endsWith('}');
}
