import { mapTexts } from './mapTexts';
import type { Secrets } from './secrets';
import { hidden } from './secrets';
import { budgets } from './budgets';

/**
 * The secrets that one server has quoted: hidden in everything it sends, and restored where the server needs its own
 * words, such as a file name in a request. Kept in memory only, and per server: no server gets what another one sent.
 */
export class QuotedSecrets {
  readonly #placeholders = new Map<string, string>();
  readonly #originals = new Map<string, string>();

  constructor(readonly secrets: Secrets) {}

  /** The server's parsed JSON without secrets; each spelling of one gets its own placeholder. */
  hide<T>(value: T): T {
    return mapTexts(value, (text) => this.secrets.hide(text, (quoted) => this.#placeholder(quoted)));
  }

  /** The original of a text from this server. For this server alone. */
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
    if (this.#placeholders.size >= budgets.signedAddresses || quoted.length > 4096) return hidden;
    const number = this.#placeholders.size + 1;
    const placeholder = number === 1 ? hidden : `[hidden ${number}]`;
    this.#placeholders.set(quoted, placeholder);
    this.#originals.set(placeholder, quoted);
    return placeholder;
  }
}
