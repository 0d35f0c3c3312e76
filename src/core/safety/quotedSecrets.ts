import { mapTexts } from './mapTexts';
import type { Secrets } from './secrets';
import { hidden } from './secrets';
import { budgets } from './budgets';

/**
 * What one server has quoted of the secrets: hidden in all that comes from it, and put back where the server needs its
 * own words again, such as the name of a file that it is asked for. Kept in memory only, and per server: no server gets
 * back what another one said.
 */
export class QuotedSecrets {
  readonly #placeholders = new Map<string, string>();
  readonly #originals = new Map<string, string>();

  constructor(readonly secrets: Secrets) {}

  /** Parsed JSON of the server without secrets; each spelling of one gets a placeholder of its own. */
  hide<T>(value: T): T {
    return mapTexts(value, (text) => this.secrets.hide(text, (quoted) => this.#placeholder(quoted)));
  }

  /** A text of this server as it came. For this server alone. */
  restore(text: string): string {
    if (this.#originals.size === 0) return text;
    return text.replace(
      /\[hidden(?: \d{1,6})?\]/g,
      (placeholder) => this.#originals.get(placeholder) ?? placeholder,
    );
  }

  #placeholder(quoted: string): string {
    const known = this.#placeholders.get(quoted);
    if (known !== undefined) return known;
    if (this.#placeholders.size >= budgets.quotedSpellings || quoted.length > 4096) return hidden;
    const number = this.#placeholders.size + 1;
    const placeholder = number === 1 ? hidden : `[hidden ${number}]`;
    this.#placeholders.set(quoted, placeholder);
    this.#originals.set(placeholder, quoted);
    return placeholder;
  }
}
