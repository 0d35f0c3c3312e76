import { escapeMarkdown } from './escapeMarkdown';
import { closedUp, displayLanguage, translateTemplate } from './localize';
import { plainText } from './plainText';

/** A value between our words: outside text, a number, a link, or text that is already `Shown`. */
export type ShownValue = string | number | Shown | ShownLink;

/** Our own link in Markdown; elsewhere only its label is shown. The place decides whether it may run a command. */
export class ShownLink {
  constructor(
    readonly label: Shown,
    readonly address: string,
  ) {}
}

interface Piece {
  readonly text: string;
  readonly isOurs: boolean;
}

/** Text for users: our sentence and outside values kept apart, so that the compiler rejects unchecked text. */
export class Shown {
  private constructor(
    readonly template: readonly string[],
    readonly values: readonly ShownValue[],
  ) {}

  /** Only a tagged template has our own text; see `shown`. */
  static of(words: TemplateStringsArray, values: readonly ShownValue[]): Shown {
    return new Shown(words, values);
  }

  /** Joins texts, for example sentences with a space between them; empty and missing ones are skipped. */
  static join(parts: readonly (ShownValue | undefined)[], between = shown` `): Shown {
    const values = parts.filter((part) => part !== undefined).filter((part) => !isEmpty(part));
    const spread = values.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
    return new Shown(Array<string>(spread.length + 1).fill(''), spread);
  }

  get isEmpty(): boolean {
    return this.template.every((words) => words === '') && this.values.every(isEmpty);
  }

  /** For single-line places. Values are shortened if the total would exceed `most` characters. */
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

  /** For Markdown: our text is Markdown, values are text. */
  markdown(): string {
    return closedPieces(this.#pieces('markdown'))
      .map(({ text, isOurs }) => (isOurs ? text : escapeMarkdown(text)))
      .join('');
  }

  linkedCommands(): string[] {
    const found = this.values.flatMap((value) => {
      if (value instanceof Shown) return value.linkedCommands();
      if (!(value instanceof ShownLink)) return [];
      const command = /^command:([\w.-]+)/.exec(value.address)?.[1];
      return [...(command === undefined ? [] : [command]), ...value.label.linkedCommands()];
    });
    return [...new Set(found)];
  }

  #pieces(as: 'text' | 'markdown', most?: number): Piece[] {
    return translateTemplate(this.template).flatMap((piece) => {
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

/** Text for users, with values from anywhere: shown`Could not run ${name}: ${serverWords}`. */
export function shown(words: TemplateStringsArray, ...values: readonly ShownValue[]): Shown {
  return Shown.of(words, values);
}

export function shownList(names: readonly ShownValue[], most = names.length): Shown {
  const rest = names.length - most;
  const comma = displayLanguage().startsWith('zh') ? shown`，` : shown`, `;
  const listed = Shown.join(names.slice(0, most), comma);
  return rest > 0 ? shown`${listed} and ${rest} more` : listed;
}

export function shownLines(names: readonly ShownValue[], most = names.length): Shown {
  const lines = names.slice(0, most).map((name) => shown`• ${name}`);
  const rest = names.length - lines.length;
  return Shown.join(rest > 0 ? [...lines, shown`${'…'} and ${rest} more`] : lines, shown`\n`);
}

function isEmpty(value: ShownValue): boolean {
  return value instanceof Shown ? value.isEmpty : value === '';
}

function addressInMarkdown(address: string): string {
  return address.replace(/[()<>\s\\]/g, (mark) =>
    encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'),
  );
}

/** VS Code makes a link of `[label](command:…)` in plain text, which a space prevents; no sentence of ours has such a link. */
const linkMiddle = /\](?=\([a-z][a-z0-9+.-]*:)/gi;
const iconStart = /\$\([a-z0-9~-]*\)?/gi;

function closedPieces(pieces: readonly Piece[]): readonly Piece[] {
  const texts = closedUp(pieces.map(({ text }) => text));
  return pieces.map(({ isOurs }, index) => ({ text: texts[index] ?? '', isOurs }));
}

/** Joins all pieces into one text in which only our own icons are icons, and nothing is a link. */
function assembled(loose: readonly Piece[]): string {
  const pieces = closedPieces(loose);
  const text = pieces.map((piece) => piece.text).join('');
  const safe = withoutForeignIcons(text, pieces).replace(linkMiddle, '] ');
  // A full stop of Chinese brings its own space.
  return displayLanguage().startsWith('zh') ? safe.replaceAll('。 ', '。') : safe;
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
