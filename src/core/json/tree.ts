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
  type JsonRange,
  JsonString,
} from './node';
import { OpenParts } from './openParts';
import { isBlank, PlainTokens } from './plainTokens';
import { isTolerated, jsonProblem, type JsonProblem, type JsonProblemKind } from './problem';
import { budgets } from '../safety/budgets';
import { jsonTokens } from './token';

/** A text read as JSON. `root` is what could be read, also of a broken text; undefined when there is nothing. */
export interface JsonDocument {
  readonly text: string;
  readonly root: JsonNode | undefined;
  readonly problems: readonly JsonProblem[];
  /** How many objects, lists and values it has, if it was parsed. */
  readonly values?: number;
}

/** With more errors than this, a text isn't JSON. */
const maxProblems = 200;

/**
 * Parses JSON into a tree with offsets, as far as the text allows, and lists its problems. Strict JSON has none;
 * comments, trailing commas, duplicate names and bare NaN or Infinity are accepted and reported. Never throws: nesting
 * deeper than `budgets.jsonDepth` ends parsing with the problem `tooDeep`, and more values than `budgets.fileValues`
 * are not read at all: they take a hundred times their size in memory.
 */
export function parseJson(text: string): JsonDocument {
  const reader = new TreeReader(text);
  const root = reader.read();
  if (!reader.isTooMany) return { text, root, problems: reader.problems, values: reader.values };
  return { text, root: undefined, problems: [jsonProblem('tooMany', 0, 1)] };
}

/** A comment may start, or a bracket closes after a comma: everything else is strict already. */
const mayBeLoose = /\/[*/]|,\s*[\]}]/;

/** Spaces replace comments and trailing commas, so that every offset and line stays the same. */
export function strictJson(text: string): string {
  if (!mayBeLoose.test(text)) return text;
  const loose: JsonRange[] = [];
  new TreeReader(text, loose).read();
  const parts: string[] = [];
  let end = 0;
  for (const { offset, length } of loose.sort((one, other) => one.offset - other.offset)) {
    parts.push(text.slice(end, offset), text.slice(offset, offset + length).replaceAll(/[^\r\n]/g, ' '));
    end = offset + length;
  }
  return parts.join('') + text.slice(end);
}

/** The parser's position in the grammar, inside the innermost open object or array. */
type State = 'keyOrEnd' | 'key' | 'colon' | 'propertyValue' | 'valueOrEnd' | 'value' | 'commaOrEnd';

/** Up to this many names of an object are searched for a doubled one; more of them are kept in a set. */
const searched = 32;

const marks = new Uint8Array(126);
marks[44] = jsonTokens.comma;
marks[58] = jsonTokens.colon;
marks[91] = jsonTokens.openBracket;
marks[93] = jsonTokens.closeBracket;
marks[123] = jsonTokens.openBrace;
marks[125] = jsonTokens.closeBrace;

class Open {
  /** The names of an object, once it is large enough for a search to be slow. */
  names: Set<string> | undefined;
  private inside: Open | undefined;

  /** @param start where its own parts start among those of everything open */
  constructor(
    public node: JsonObject | JsonArray,
    public start: number,
    readonly around: Open | undefined,
    readonly depth: number,
  ) {}

  enter(node: JsonObject | JsonArray, start: number): Open {
    const { inside } = this;
    if (!inside) return (this.inside = new Open(node, start, this, this.depth + 1));
    inside.node = node;
    inside.start = start;
    inside.names = undefined;
    return inside;
  }
}

/** A loop over an explicit stack: no depth of nesting can overflow the call stack. */
class TreeReader {
  readonly problems: JsonProblem[] = [];
  values = 0;
  private broken = 0;
  private tolerated = 0;
  private readonly scanner: JSONScanner;
  private readonly plain: PlainTokens;
  private offset = 0;
  private position = 0;
  private isScanned = false;
  private value = '';
  private isValid = false;
  private innermost: Open | undefined;
  private readonly items = new OpenParts<JsonNode>();
  private readonly properties = new OpenParts<JsonProperty>();
  private state: State = 'value';
  private root: JsonNode | undefined;
  private lastComma = 0;
  private isCommaWrong = false;
  private end = 0;

  /** @param loose takes the comments and trailing commas, which are no problems then */
  constructor(
    private readonly text: string,
    private readonly loose?: JsonRange[],
  ) {
    this.scanner = createScanner(text);
    this.plain = new PlainTokens(text);
    if (text.startsWith('\uFEFF')) this.position = 1;
  }

  get isTooMany(): boolean {
    return this.values > budgets.fileValues;
  }

  read(): JsonNode | undefined {
    for (;;) {
      const found = this.next();
      if (found === jsonTokens.end) break;
      if (found === jsonTokens.blank || found === jsonTokens.lineBreak) continue;
      if (found === jsonTokens.lineComment || found === jsonTokens.blockComment) {
        this.report('comment');
        continue;
      }
      if (this.root !== undefined && !this.innermost) {
        this.problem('expectedEnd', this.offset, this.text.length - this.offset);
        return this.root;
      }
      if (!this.take(found)) return this.closeAll();
      this.end = this.position;
    }
    if (this.root === undefined || this.innermost) this.problem('unexpectedEnd', this.text.length, 0);
    return this.closeAll();
  }

  /** Finds the next token: nearly all are plain, and the scanner is for the others. */
  private next(): number {
    const { text, plain } = this;
    let at = this.position;
    let code = text.charCodeAt(at);
    while (isBlank(code)) code = text.charCodeAt(++at);
    this.offset = at;
    this.isScanned = false;
    const mark = code < marks.length ? marks[code] : 0;
    if (mark) {
      this.position = at + 1;
      return mark;
    }
    if (code === 34) return this.nextString(at);
    if ((code === 45 || (code >= 48 && code <= 57)) && plain.isNumber(at)) {
      this.position = plain.end;
      return jsonTokens.number;
    }
    this.scanner.setPosition(at);
    const found: number = this.scanner.scan();
    this.isScanned = true;
    this.offset = this.scanner.getTokenOffset();
    this.position = this.scanner.getPosition();
    return found;
  }

  /** The scanner would put a value together from each of its escapes: those of a long text take gigabytes. */
  private nextString(start: number): number {
    const { text, plain } = this;
    this.isValid = plain.isString(start);
    if (this.isValid) {
      this.position = plain.end;
      this.value = plain.between(start + 1, plain.end - 1);
      return jsonTokens.string;
    }
    let end = start + 1;
    // The end of the text is NaN.
    for (let code = text.charCodeAt(end); code >= 0 && code !== 34 && code !== 10 && code !== 13;) {
      end += code === 92 ? 2 : 1;
      code = text.charCodeAt(end);
    }
    this.position = Math.min(text.charCodeAt(end) === 34 ? end + 1 : end, text.length);
    try {
      this.value = JSON.parse(text.slice(start, this.position)) as string;
      this.isValid = true;
    } catch {
      this.value = text.slice(start + 1, end);
    }
    return jsonTokens.string;
  }

  private take(found: number): boolean {
    switch (found) {
      case jsonTokens.openBrace:
      case jsonTokens.openBracket:
        return this.openContainer(found === jsonTokens.openBrace);
      case jsonTokens.closeBrace:
      case jsonTokens.closeBracket:
        this.close(found === jsonTokens.closeBrace);
        break;
      case jsonTokens.comma:
        this.comma();
        break;
      case jsonTokens.colon:
        if (this.state === 'colon') this.state = 'propertyValue';
        else this.report('invalidToken');
        break;
      case jsonTokens.string:
        this.string();
        break;
      default:
        this.scalar(found);
    }
    return this.goesOn();
  }

  private openContainer(isObject: boolean): boolean {
    const { offset } = this;
    const around = this.innermost;
    if (around && around.depth >= budgets.jsonDepth) {
      this.problem('tooDeep', offset, 1);
      return false;
    }
    const node = isObject ? new JsonObject(offset) : new JsonArray(offset);
    this.add(node);
    const start = (isObject ? this.properties : this.items).size;
    this.innermost = around ? around.enter(node, start) : new Open(node, start, undefined, 1);
    this.state = isObject ? 'keyOrEnd' : 'valueOrEnd';
    return this.goesOn();
  }

  private goesOn(): boolean {
    return this.broken < maxProblems && !this.isTooMany;
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
    this.finish(current, this.position);
  }

  private finish({ node, start, around }: Open, end: number): void {
    node.length = end - node.offset;
    if (node.kind === 'object') node.properties = this.properties.take(start);
    else node.items = this.items.take(start);
    this.innermost = around;
    this.state = 'commaOrEnd';
  }

  private closeAll(): JsonNode | undefined {
    while (this.innermost) this.finish(this.innermost, this.end);
    return this.root;
  }

  private comma(): void {
    const inObject = this.innermost?.node.kind === 'object';
    if (this.state === 'colon') this.report('expectedColon');
    else if (this.state !== 'commaOrEnd') this.report('expectedValue');
    this.isCommaWrong = this.state !== 'commaOrEnd';
    this.lastComma = this.offset;
    if (this.innermost) this.state = inObject ? 'key' : 'value';
  }

  private string(): void {
    const { offset } = this;
    const length = this.position - offset;
    const { value } = this;
    if (!this.isValid) this.report('invalidString');
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
    const { offset } = this;
    if (found === jsonTokens.number) {
      if (this.hasScanError()) this.report('invalidNumber');
      const number = new JsonNumber(offset, this.text, this.position - offset);
      if (number.isTooLong) this.report('longNumber');
      this.add(number);
    } else if (found === jsonTokens.true || found === jsonTokens.false) {
      this.add(new JsonBoolean(offset, found === jsonTokens.true));
    } else if (found === jsonTokens.null) this.add(new JsonNull(offset));
    else this.unknown(offset);
  }

  private unknown(offset: number): void {
    for (const word of ['NaN', 'Infinity', '-Infinity'] as const) {
      if (!this.text.startsWith(word, offset) || /[\w$]/.test(this.text.charAt(offset + word.length)))
        continue;
      this.position = offset + word.length;
      this.problem('nonFinite', offset, word.length);
      this.add(new JsonNonFinite(offset, word));
      return;
    }
    this.report('invalidToken');
  }

  /** Reports a missing comma or name, and keeps the value if possible. */
  private add(node: JsonNode): void {
    const current = this.innermost;
    this.values++;
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
    return this.isScanned && error !== 0;
  }

  private report(kind: JsonProblemKind): void {
    this.problem(kind, this.offset, this.position - this.offset);
  }

  private problem(kind: JsonProblemKind, offset: number, length: number): void {
    if (this.loose && (kind === 'comment' || (kind === 'trailingComma' && !this.isCommaWrong))) {
      this.loose.push({ offset, length });
      return;
    }
    const isListed = isTolerated({ kind }) ? this.tolerated++ < maxProblems : this.broken++ < maxProblems;
    if (isListed) this.problems.push(jsonProblem(kind, offset, length));
  }
}
