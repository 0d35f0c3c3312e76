import { budgets } from './budgets';

interface Span {
  readonly start: number;
  readonly end: number;
}

export const hiddenText = '[hidden]';

const credentialHeaders = /auth|cookie|key|token|secret|passw|session|credential|signature/i;
const shortestSignature = 24;
const credentialParameters = /sig|token|key|cred|policy|secur/i;
const shortestForm = 6;
/** This many characters of a secret are a match, because a truncated quotation reveals as much as a complete one. */
const triggerLength = 24;

/** Secrets are added before they are used, and hidden in any letter case, plain or escaped for JSON or a URL, in linear time. */
export class Secrets {
  readonly #keys = new Map<string, readonly string[]>();
  readonly #signed = new Map<string, readonly string[]>();
  /** Hidden only if they stand alone, because they occur inside other words. */
  readonly #short = new Set<string>();

  /** A key, a token, the value of a credential header. After `Bearer` or `Basic`, the rest counts too. */
  add(secret: string): void {
    const value = secret.trim();
    if (value === '' || this.#keys.has(value) || this.#short.has(value)) return;
    const bare = /^(?:bearer|basic|token)\s+(\S+)$/i.exec(value)?.[1];
    if (bare !== undefined) {
      this.add(bare);
      return;
    }
    if (value.length < shortestForm) this.#short.add(value);
    else this.#keys.set(value, quotedForms(value));
  }

  addHeaders(headers: Readonly<Record<string, string>> = {}): string[] {
    const values = Object.entries(headers).flatMap(([name, value]) =>
      credentialHeaders.test(name) ? [value] : [],
    );
    for (const value of values) {
      this.add(value);
      for (const part of value.split(/[;,]\s*/))
        if (part.length >= 16) this.add(part.replace(/^[\w-]+=/, ''));
    }
    return values;
  }

  /** A signed address: anyone who has it can read the file. The latest are remembered; older ones have expired. */
  addAddress(address: string): void {
    if (!URL.canParse(address)) return;
    const url = new URL(address);
    const signatures = [...url.searchParams].flatMap(([name, value]) =>
      credentialParameters.test(name) && value.length >= shortestForm ? [value] : [],
    );
    // Without a signature, the address itself grants access.
    const telling = signatures.length > 0 ? signatures : [`${url.pathname}${url.search}`];
    for (const value of telling.filter((text) => text.length >= shortestSignature)) {
      this.#signed.delete(value);
      this.#signed.set(value, quotedForms(value));
    }
    for (const oldest of this.#signed.keys()) {
      if (this.#signed.size <= budgets.signedAddresses) break;
      this.#signed.delete(oldest);
    }
  }

  /** Data that may be anything, such as a node's text: only known secrets are hidden in it. */
  hide(text: string, placeholder: (quoted: string) => string = () => hiddenText): string {
    return replace(text, this.#known(text), placeholder);
  }

  /** A sentence, a line of a log, an error: credentials that are known by their shape are hidden too. */
  scrub(text: string): string {
    if (text.length < 3) return text;
    return replace(text, [...this.#known(text), ...secretShapes(text)], () => hiddenText);
  }

  hideDeep<T>(value: T): T {
    return mapTexts(value, (text) => this.hide(text));
  }

  /** Whether JSON that isn't parsed yet may quote a secret: a sender may escape letters that need no escape. */
  mayOccurIn(json: string): boolean {
    return this.#known(json).length > 0 || (this.#hasSecrets && /\\(?:\/|u00[2-9a-f])/i.test(json));
  }

  get #hasSecrets(): boolean {
    return this.#keys.size + this.#signed.size + this.#short.size > 0;
  }

  #known(text: string): Span[] {
    if (!this.#hasSecrets || text.length < 2) return [];
    const found: Span[] = [];
    const folded = foldCase(text);
    for (const forms of [...this.#keys.values(), ...this.#signed.values()])
      for (const form of forms) found.push(...quotations(text, folded, form));
    for (const short of this.#short)
      for (const form of quotedForms(short))
        found.push(
          ...quotations(text, folded, form).filter(
            ({ start, end }) => !/\w/.test(text.charAt(start - 1)) && !/\w/.test(text.charAt(end)),
          ),
        );
    return found;
  }
}

/** A secret as it may be quoted: plain, in an address (where a space may be a plus sign), and in JSON. */
function quotedForms(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, ''));
  const forms = [secret, inAddress, inAddress.replaceAll('%20', '+'), JSON.stringify(secret).slice(1, -1)];
  return [...new Set(forms.map(foldCase))];
}

/** In one letter case, with as many characters as before: `İ` alone becomes two in lower case. */
function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase();
}

function quotations(text: string, folded: string, form: string): Span[] {
  const found: Span[] = [];
  const trigger = form.slice(0, triggerLength);
  for (let start = folded.indexOf(trigger); start >= 0;) {
    let end = start + trigger.length;
    while (end - start < form.length && folded[end] === form[end - start]) end++;
    found.push(wholeEscape(text, { start, end }));
    // The next quotation may begin in the last characters of this one.
    start = folded.indexOf(trigger, end - trigger.length + 1);
  }
  return found;
}

/** Half of an escape left in front would make JSON that cannot be read. */
function wholeEscape(text: string, { start, end }: Span): Span {
  const escape = /\\(?:u[0-9a-f]{0,3})?$/i.exec(text.slice(Math.max(0, start - 5), start));
  return { start: escape ? start - escape[0].length : start, end };
}

function replace(text: string, spans: readonly Span[], placeholder: (quoted: string) => string): string {
  if (spans.length === 0) return text;
  const merged: { start: number; end: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  let kept = 0;
  const pieces = merged.map(({ start, end }) => {
    const before = text.slice(kept, start);
    kept = end;
    return before + placeholder(text.slice(start, end));
  });
  return pieces.join('') + text.slice(kept);
}

/** Each expression starts with a fixed word, and its repetitions share no characters with what follows: none backtracks. */
const shapes: readonly RegExp[] = [
  // Query parameters that let the bearer in: the socket's token and those of signed storage addresses (protocol 1.7).
  /[?&](?:token|access_token|api_key|key|sig|signature|x-goog-[a-z-]{1,30}|x-amz-[a-z-]{1,30}|googleaccessid)=(?<secret>[^&\s"'<>\\]{1,4096})/gi,
  /(?:x-api-key|authorization|cookie)\\{0,3}["']?\s{0,8}[:=]\s{0,8}\\{0,3}["']?(?:(?:bearer|basic)\s{1,8})?(?<secret>[^\s"',;\\]{1,8192})/gi,
  /(?:api_key|auth_token)_comfy_org\\{0,3}["']?\s{0,8}[:=]\s{0,8}\\{0,3}["']?(?<secret>[^"'\s,}\\]{1,8192})/gi,
  /\b(?:bearer|basic)\s{1,8}(?<secret>[A-Za-z0-9._~+/=-]{8,8192})/gi,
  // A platform key; names of packs start the same way but consist of words.
  /\b(?<secret>comfyui-[A-Za-z0-9_]{24,256})/g,
];

const looksRandom = /\d|[a-z][A-Z]|=$/;

function secretShapes(text: string): Span[] {
  const found = userInfo(text);
  for (const shape of shapes) {
    for (const match of text.matchAll(shape)) {
      const secret = match.groups?.['secret'];
      if (secret === undefined) continue;
      // "Basic understanding" is not a credential.
      if (/^(?:b|comfyui-)/i.test(match[0]) && !looksRandom.test(secret.replace(/^comfyui-/, ''))) continue;
      const end = match.index + match[0].length;
      found.push({ start: end - secret.length, end });
    }
  }
  return found;
}

function userInfo(text: string): Span[] {
  const found: Span[] = [];
  const until = /[/\s@"']/g;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = at + 3;
    until.lastIndex = start;
    const stop = until.exec(text);
    if (stop === null) break;
    if (stop[0] === '@' && stop.index > start) found.push({ start, end: stop.index });
  }
  return found;
}

/** Deeper than any answer of a server. */
const deepest = 400;

/** Maps every string of parsed JSON, names included. Unchanged parts stay the same object; what is too deep becomes null. */
export function mapTexts<T>(value: T, map: (text: string) => string): T {
  return mapped(value, map, 0) as T;
}

function mapped(value: unknown, map: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return null;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapped(item, map, depth + 1));
    return value.every((item, index) => items[index] === item) ? value : items;
  }
  if (value instanceof Map) {
    return new Map(
      [...value].map(([name, member]) => [mapped(name, map, depth), mapped(member, map, depth + 1)]),
    );
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const before = Object.entries(value);
  const entries = before.map(([name, member]) => [map(name), mapped(member, map, depth + 1)] as const);
  const isSame = entries.every(
    ([name, member], index) => before[index]?.[0] === name && before[index][1] === member,
  );
  // Defines members, so that one named __proto__ stays a member.
  return isSame ? value : Object.fromEntries(entries);
}

/** The secrets that one server has quoted: hidden in all it sends, restored in requests to it alone, kept in memory only. */
export class QuotedSecrets {
  readonly #placeholders = new Map<string, string>();
  readonly #originals = new Map<string, string>();

  constructor(readonly secrets: Secrets) {}

  /** The server's parsed JSON without secrets; each spelling of one gets its own placeholder. */
  hide<T>(value: T): T {
    return mapTexts(value, (text) => this.secrets.hide(text, (quoted) => this.#placeholder(quoted)));
  }

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
    if (this.#placeholders.size >= budgets.signedAddresses || quoted.length > 4096) return hiddenText;
    const number = this.#placeholders.size + 1;
    const placeholder = number === 1 ? hiddenText : `[hidden ${number}]`;
    this.#placeholders.set(quoted, placeholder);
    this.#originals.set(placeholder, quoted);
    return placeholder;
  }
}
