import { createScanner, type JSONScanner } from 'jsonc-parser';

import {
  JsonArray,
  JsonBoolean,
  type JsonNode,
  JsonNonFinite,
  JsonNull,
  JsonNumber,
  JsonObject,
  JsonProperty,
  JsonString,
} from './node';
import { jsonProblem, type JsonProblem, type JsonProblemKind } from './problem';
import { token } from './token';

/** A text read as JSON. `root` is what could be read, also of a broken text; undefined when there is nothing. */
export interface JsonDocument {
  readonly text: string;
  readonly root: JsonNode | undefined;
  readonly problems: readonly JsonProblem[];
}

/** Python's own parser gives up near a thousand levels; nothing real comes close. */
export const maxDepth = 900;

/** Beyond this many findings a text is no JSON at all, and more of them help nobody. */
const maxProblems = 200;

/**
 * Reads JSON into a tree with offsets, as far as the text allows, and lists what is wrong with it.
 * Strict JSON gives no problems; comments, trailing commas, doubled names and bare NaN or Infinity are read and reported.
 * Never throws: nesting deeper than {@link maxDepth} ends the reading with the problem `tooDeep`.
 */
export function parseJson(text: string): JsonDocument {
  const reader = new TreeReader(text);
  const root = reader.read();
  return { text, root, problems: reader.problems };
}

/** The place in the grammar where the reader stands, inside the innermost open object or array. */
type State = 'keyOrEnd' | 'key' | 'colon' | 'propertyValue' | 'valueOrEnd' | 'value' | 'commaOrEnd';

/** Up to this many names of an object are searched for a doubled one; more of them are kept in a set. */
const searched = 32;

/** What JSON takes for a blank. */
function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

interface Open {
  readonly node: JsonObject | JsonArray;
  readonly around: Open | undefined;
  readonly depth: number;
  /** Where its own parts begin among those of all that is open. */
  readonly start: number;
  /** The names of an object, once it is large enough for a search to be slow. */
  names: Set<string> | undefined;
}

/**
 * The parts of all that is open, innermost last. A list that grows by itself keeps room for 17 members, which is most of
 * what a tree of small lists would hold; taken from here it is as long as it must be.
 */
class OpenParts<T> {
  readonly #parts: T[] = [];
  size = 0;

  push(part: T): void {
    this.#parts[this.size++] = part;
  }

  last(start: number): T | undefined {
    return this.size > start ? this.#parts[this.size - 1] : undefined;
  }

  some(start: number, holds: (part: T) => boolean): boolean {
    for (let at = start; at < this.size; at++) {
      const part = this.#parts[at];
      if (part !== undefined && holds(part)) return true;
    }
    return false;
  }

  from(start: number): T[] {
    return this.#parts.slice(start, this.size);
  }

  take(start: number): readonly T[] {
    const taken = this.from(start);
    this.size = start;
    return taken;
  }
}

/** A loop over an explicit stack: no depth of nesting can overflow the call stack. */
class TreeReader {
  readonly problems: JsonProblem[] = [];
  private readonly scanner: JSONScanner;
  private innermost: Open | undefined;
  private readonly items = new OpenParts<JsonNode>();
  private readonly properties = new OpenParts<JsonProperty>();
  private state: State = 'value';
  private root: JsonNode | undefined;
  private lastComma = 0;
  private end = 0;

  constructor(private readonly text: string) {
    this.scanner = createScanner(text);
    if (text.startsWith('\uFEFF')) this.scanner.setPosition(1);
  }

  read(): JsonNode | undefined {
    for (;;) {
      this.skipBlanks();
      const found: number = this.scanner.scan();
      if (found === token.end) break;
      if (found === token.blank || found === token.lineBreak) continue;
      if (found === token.lineComment || found === token.blockComment) {
        this.report('comment');
        continue;
      }
      if (this.root !== undefined && !this.innermost) {
        this.problem(
          'expectedEnd',
          this.scanner.getTokenOffset(),
          this.text.length - this.scanner.getTokenOffset(),
        );
        return this.root;
      }
      if (!this.take(found)) return this.closeAll();
      this.end = this.scanner.getPosition();
    }
    if (this.root === undefined || this.innermost) this.problem('unexpectedEnd', this.text.length, 0);
    return this.closeAll();
  }

  /** The scanner makes tokens of blanks, letter by letter: half of an indented file. It starts after them instead. */
  private skipBlanks(): void {
    const start = this.scanner.getPosition();
    let at = start;
    for (let code = this.text.charCodeAt(at); isBlank(code); code = this.text.charCodeAt(at)) at++;
    if (at > start) this.scanner.setPosition(at);
  }

  /** Handles one token; false ends the reading. */
  private take(found: number): boolean {
    switch (found) {
      case token.openBrace:
      case token.openBracket:
        return this.openContainer(found === token.openBrace);
      case token.closeBrace:
      case token.closeBracket:
        this.close(found === token.closeBrace);
        break;
      case token.comma:
        this.comma();
        break;
      case token.colon:
        if (this.state === 'colon') this.state = 'propertyValue';
        else this.report('invalidToken');
        break;
      case token.string:
        this.string();
        break;
      default:
        this.scalar(found);
    }
    return this.problems.length < maxProblems;
  }

  private openContainer(isObject: boolean): boolean {
    const offset = this.scanner.getTokenOffset();
    const around = this.innermost;
    const depth = (around?.depth ?? 0) + 1;
    if (depth > maxDepth) {
      this.problem('tooDeep', offset, 1);
      return false;
    }
    const node = isObject ? new JsonObject(offset) : new JsonArray(offset);
    this.add(node);
    const start = (isObject ? this.properties : this.items).size;
    this.innermost = { node, around, depth, start, names: undefined };
    this.state = isObject ? 'keyOrEnd' : 'valueOrEnd';
    return this.problems.length < maxProblems;
  }

  private close(isObject: boolean): void {
    const current = this.innermost;
    if (!current || (current.node.kind === 'object') !== isObject) {
      this.report('invalidToken');
      return;
    }
    if (this.state === 'colon') this.report('expectedColon');
    else if (this.state === 'propertyValue') this.report('expectedValue');
    else if (this.state === 'key' || this.state === 'value') this.problem('trailingComma', this.lastComma, 1);
    this.finish(current, this.scanner.getPosition());
  }

  private finish({ node, around, start }: Open, end: number): void {
    node.length = end - node.offset;
    if (node.kind === 'object') node.properties = this.properties.take(start);
    else node.items = this.items.take(start);
    this.innermost = around;
    this.state = 'commaOrEnd';
  }

  /** What a broken text leaves open ends where the reading ended. */
  private closeAll(): JsonNode | undefined {
    while (this.innermost) this.finish(this.innermost, this.end);
    return this.root;
  }

  private comma(): void {
    const inObject = this.innermost?.node.kind === 'object';
    if (this.state === 'colon') this.report('expectedColon');
    else if (this.state !== 'commaOrEnd') this.report('expectedValue');
    this.lastComma = this.scanner.getTokenOffset();
    if (this.innermost) this.state = inObject ? 'key' : 'value';
  }

  private string(): void {
    const offset = this.scanner.getTokenOffset();
    const length = this.scanner.getTokenLength();
    const value = this.scanner.getTokenValue();
    if (this.hasScanError()) this.report('invalidString');
    const current = this.innermost;
    if (current?.node.kind === 'object' && this.state !== 'propertyValue') {
      if (this.state === 'colon') this.report('expectedColon');
      if (this.state === 'commaOrEnd') this.report('expectedComma');
      if (this.isKnown(current, value)) this.problem('duplicateKey', offset, length);
      this.properties.push(new JsonProperty(offset, length, value));
      this.state = 'colon';
    } else this.add(new JsonString(offset, length, value));
  }

  private isKnown(object: Open, name: string): boolean {
    if (!object.names && this.properties.size - object.start < searched) {
      return this.properties.some(object.start, (each) => each.name === name);
    }
    object.names ??= new Set(this.properties.from(object.start).map((each) => each.name));
    return object.names.size === object.names.add(name).size;
  }

  private scalar(found: number): void {
    const offset = this.scanner.getTokenOffset();
    if (found === token.number) {
      if (this.hasScanError()) this.report('invalidNumber');
      const number = new JsonNumber(offset, this.scanner.getTokenValue());
      if (number.isTooLong) this.report('longNumber');
      this.add(number);
    } else if (found === token.true || found === token.false) {
      this.add(new JsonBoolean(offset, found === token.true));
    } else if (found === token.null) this.add(new JsonNull(offset));
    else this.unknown(offset);
  }

  private unknown(offset: number): void {
    for (const word of ['NaN', 'Infinity', '-Infinity'] as const) {
      if (!this.text.startsWith(word, offset) || /[\w$]/.test(this.text.charAt(offset + word.length)))
        continue;
      this.scanner.setPosition(offset + word.length);
      this.problem('nonFinite', offset, word.length);
      this.add(new JsonNonFinite(offset, word));
      return;
    }
    this.report('invalidToken');
  }

  /** Puts a value where one is expected; elsewhere the missing comma or name is reported and the value kept if it can be. */
  private add(node: JsonNode): void {
    const current = this.innermost;
    if (!current) this.root = node;
    else if (current.node.kind === 'array') {
      if (this.state === 'commaOrEnd') this.report('expectedComma');
      this.items.push(node);
    } else if (this.state === 'propertyValue' || this.state === 'colon') {
      if (this.state === 'colon') this.report('expectedColon');
      const property = this.properties.last(current.start);
      if (property) property.value = node;
    } else this.report('expectedKey');
    this.state = 'commaOrEnd';
  }

  private hasScanError(): boolean {
    const error: number = this.scanner.getTokenError();
    return error !== 0;
  }

  private report(kind: JsonProblemKind): void {
    this.problem(kind, this.scanner.getTokenOffset(), this.scanner.getTokenLength());
  }

  private problem(kind: JsonProblemKind, offset: number, length: number): void {
    this.problems.push(jsonProblem(kind, offset, length));
  }
}
