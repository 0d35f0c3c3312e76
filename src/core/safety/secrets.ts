import { budgets } from './budgets';
import { mapTexts } from './mapTexts';

/** A stretch of a text, `end` behind it. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces a secret in a text. */
export const hidden = '[hidden]';

/** Names of headers whose values let the bearer in. */
const credentialHeaders = /auth|cookie|key|token|secret|passw|session|credential|signature/i;
const shortestSignature = 24;
const credentialParameters = /sig|token|key|cred|policy|secur/i;
/** Shorter secrets turn up by chance. */
const shortestForm = 6;
/** So much of a secret makes a hit: a quotation that was cut off reveals as much as a complete one. */
const triggerLength = 24;

/**
 * The secrets of one window or one command: every key, token, credential header and signed address used. Each is added
 * before it is used, and hidden in any letter case, plain or escaped as a whole for JSON or a URL. Time is linear in the
 * text.
 */
export class Secrets {
  readonly #keys = new Map<string, readonly string[]>();
  /** Parts of signed addresses, the newest last. */
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

  /** Adds the values of extra headers that are as good as a key, and returns them. */
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
  hide(text: string, placeholder: (quoted: string) => string = () => hidden): string {
    return replace(text, this.#known(text), placeholder);
  }

  /** A sentence, a line of a log, an error: credentials that are known by their shape are hidden too. */
  scrub(text: string): string {
    if (text.length < 3) return text;
    return replace(text, [...this.#known(text), ...secretShapes(text)], () => hidden);
  }

  /** `hide` for every string in parsed JSON, member names included. */
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
  return { start: start - (escape?.[0].length ?? 0), end };
}

function replace(text: string, spans: readonly Span[], placeholder: (quoted: string) => string): string {
  if (spans.length === 0) return text;
  const ordered = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const pieces: string[] = [];
  let kept = 0;
  for (let index = 0; index < ordered.length;) {
    const first = ordered[index] as Span;
    let end = first.end;
    for (index++; index < ordered.length && (ordered[index] as Span).start <= end; index++) {
      end = Math.max(end, (ordered[index] as Span).end);
    }
    pieces.push(text.slice(kept, first.start), placeholder(text.slice(first.start, end)));
    kept = end;
  }
  pieces.push(text.slice(kept));
  return pieces.join('');
}

/**
 * Secrets recognized by shape, whoever they belong to. Each expression starts with a fixed word, and its repetitions
 * share no characters with what follows, so none of them backtracks.
 */
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

/** Credentials recognized by shape: headers, tokens in addresses, user names and passwords before a host. */
function secretShapes(text: string): Span[] {
  const found = userInfo(text);
  for (const shape of shapes) {
    for (const match of text.matchAll(shape)) {
      const secret = match.groups?.['secret'] ?? '';
      // "Basic understanding" is not a credential.
      if (/^(?:b|comfyui-)/i.test(match[0]) && !looksRandom.test(secret.replace(/^comfyui-/, ''))) continue;
      const end = match.index + match[0].length;
      found.push({ start: end - secret.length, end });
    }
  }
  return found;
}

/** `name:password@` behind `://`. */
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
