import { escapeMarkdown } from './escapeMarkdown';
import { displayLanguage, translated } from './localize';
import { plainText } from './plainText';

/** What may stand between our words: text from outside, a number, a link, or words that are shown text already. */
export type ShownValue = string | number | Shown | ShownLink;

/** A link of ours in Markdown; elsewhere its label alone is shown. Whether it may run a command is up to the place. */
export class ShownLink {
  constructor(
    readonly label: Shown,
    /** An address that we made or looked through. */
    readonly address: string,
  ) {}
}

interface Piece {
  readonly text: string;
  /** Our own words; everything else came from outside. */
  readonly isOurs: boolean;
}

/**
 * Words for a person: our own sentence, and what servers, files and registries put into it, kept apart. What is shown
 * anywhere is of this type, so the compiler refuses text that nobody has looked through. `template` and `values` stay
 * readable: with placeholders for the values the template is the key of a translation, made where the words are shown.
 */
export class Shown {
  readonly template: readonly string[];
  readonly values: readonly ShownValue[];

  private constructor(template: readonly string[], values: readonly ShownValue[]) {
    this.template = template;
    this.values = values;
  }

  /** Only a tagged template has words of our own; see `shown`. */
  static of(words: TemplateStringsArray, values: readonly ShownValue[]): Shown {
    return new Shown(words, values);
  }

  /** Words one after the other, such as sentences with a space between them; what is empty or missing is left out. */
  static join(parts: readonly (ShownValue | undefined)[], between = shown` `): Shown {
    const values = parts.filter((part) => part !== undefined).filter((part) => !isEmpty(part));
    const spread = values.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
    return new Shown(Array<string>(spread.length + 1).fill(''), spread);
  }

  get isEmpty(): boolean {
    return this.template.every((words) => words === '') && this.values.every(isEmpty);
  }

  /** For a place with one line. Values give way when the whole would be longer than `most` characters. */
  line(most = Number.POSITIVE_INFINITY): string {
    let text = this.lines();
    for (let each = most; text.length > most && each > 40; each = Math.floor(each / 2)) {
      text = assembled(this.#pieces('text', each));
    }
    return text.replaceAll('\n', ' ');
  }

  /** For a place that keeps line breaks, such as the detail of a question. They are ours: values have none. */
  lines(): string {
    return assembled(this.#pieces('text'));
  }

  /** For Markdown: our words are Markdown, values are text. */
  markdown(): string {
    return this.#pieces('markdown')
      .map(({ text, isOurs }) => (isOurs ? text : escapeMarkdown(text)))
      .join('');
  }

  /** The commands that links in it run, each once. */
  linkedCommands(): string[] {
    const found = this.values.flatMap((value) => {
      if (value instanceof Shown) return value.linkedCommands();
      if (!(value instanceof ShownLink)) return [];
      const [, command] = /^command:([\w.-]+)/.exec(value.address) ?? [];
      return [...(command === undefined ? [] : [command]), ...value.label.linkedCommands()];
    });
    return [...new Set(found)];
  }

  #pieces(as: 'text' | 'markdown', most?: number): Piece[] {
    return translated(this.template).flatMap((piece) => {
      if (typeof piece === 'string') return [{ text: piece, isOurs: true }];
      const value = this.values[piece];
      if (value === undefined) return [];
      if (value instanceof Shown) return value.#pieces(as, most);
      if (!(value instanceof ShownLink)) {
        return [{ text: plainText(String(value), 'one line', most), isOurs: false }];
      }
      const label = value.label.#pieces(as, most);
      if (as === 'text') return label;
      const target = { text: `](${addressInMarkdown(value.address)})`, isOurs: true };
      return [{ text: '[', isOurs: true }, ...label, target];
    });
  }
}

/** Words for a person, with values that come from anywhere: shown`Could not run ${name}: ${serverWords}`. */
export function shown(words: TemplateStringsArray, ...values: readonly ShownValue[]): Shown {
  return Shown.of(words, values);
}

/** Names one after the other; beyond `most` they are counted. */
export function shownList(names: readonly ShownValue[], most = names.length): Shown {
  const rest = names.length - most;
  const comma = displayLanguage().startsWith('zh') ? shown`，` : shown`, `;
  const listed = Shown.join(names.slice(0, most), comma);
  return rest > 0 ? shown`${listed} and ${rest} more` : listed;
}

/** The same one below the other. */
export function shownLines(names: readonly ShownValue[], most = names.length): Shown {
  const lines = names.slice(0, most).map((name) => shown`• ${name}`);
  const rest = names.length - lines.length;
  return Shown.join(rest > 0 ? [...lines, shown`… and ${rest} more`] : lines, shown`\n`);
}

function isEmpty(value: ShownValue): boolean {
  return value instanceof Shown ? value.isEmpty : value === '';
}

function addressInMarkdown(address: string): string {
  return address.replace(/[()<>\s\\]/g, (mark) =>
    encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'),
  );
}

/**
 * What VS Code takes for a link in plain text ([label](address), whose address begins with command:, file:, http: or
 * https:). A space between the brackets makes it text. No sentence of ours has such a link, so it does not matter
 * which of the pieces it comes from, or whether only several of them together make one.
 */
const linkMiddle = /\](?=\([a-z][a-z0-9+.-]*:)/gi;
/** The beginning of an icon, $(name). */
const iconStart = /\$\([a-z0-9~-]*\)?/gi;

/** One text of all pieces, in which only icons of our own are icons, and nothing is a link. */
function assembled(pieces: readonly Piece[]): string {
  const text = pieces.map((piece) => piece.text).join('');
  return withoutForeignIcons(text, pieces).replace(linkMiddle, '] ');
}

function withoutForeignIcons(text: string, pieces: readonly Piece[]): string {
  let index = 0;
  let start = 0;
  return text.replace(iconStart, (icon, at: number) => {
    for (let piece = pieces[index]; piece && start + piece.text.length <= at; piece = pieces[index]) {
      start += piece.text.length;
      index++;
    }
    const piece = pieces[index];
    const isOurs = piece?.isOurs === true && at + icon.length <= start + piece.text.length;
    return isOurs ? icon : `$ ${icon.slice(1)}`;
  });
}
