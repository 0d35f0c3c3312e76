import { budgets } from '../safety/budgets';

/** The position of a piece of JSON: UTF-16 offsets into its source text. */
export interface JsonRange {
  readonly offset: number;
  readonly length: number;
}

export function rangeEnd({ offset, length }: JsonRange): number {
  return offset + length;
}

export function contains(outer: JsonRange, inner: JsonRange): boolean {
  return inner.offset >= outer.offset && rangeEnd(inner) <= rangeEnd(outer);
}

/** A JSON value with its position. Numbers keep their source text, so no digit is ever lost. */
export type JsonNode =
  JsonObject | JsonArray | JsonString | JsonNumber | JsonNonFinite | JsonBoolean | JsonNull;

/** `"name": value`. The value is missing only if the text is invalid. */
export class JsonProperty implements JsonRange {
  value: JsonNode | undefined;
  constructor(
    readonly offset: number,
    private readonly keyLength: number,
    readonly name: string,
  ) {}
  get length(): number {
    return this.value ? this.value.offset + this.value.length - this.offset : this.keyLength;
  }
  /** Created on demand: few names are used, and every property has one. */
  get key(): JsonString {
    return new JsonString(this.offset, this.keyLength, this.name);
  }
}

/** Objects below this size are searched, nodes of a graph among them; larger ones get an index on the first look-up. */
const indexFrom = 33;

const none: readonly never[] = [];

export class JsonObject implements JsonRange {
  declare readonly kind: 'object';
  /** Set once, when the object has been read to its end. */
  properties: readonly JsonProperty[] = none;
  length = 0;
  private index: Map<string, JsonProperty> | undefined;
  constructor(readonly offset: number) {}

  /** The property of that name; of several, the last one, as in every JSON parser. */
  property(name: string): JsonProperty | undefined {
    const { properties } = this;
    if (properties.length < indexFrom) {
      for (let at = properties.length - 1; at >= 0; at--)
        if (properties[at]?.name === name) return properties[at];
      return undefined;
    }
    this.index ??= new Map(this.properties.map((each) => [each.name, each]));
    return this.index.get(name);
  }

  get(name: string): JsonNode | undefined {
    return this.property(name)?.value;
  }
}

export class JsonArray implements JsonRange {
  declare readonly kind: 'array';
  length = 0;
  constructor(
    readonly offset: number,
    public items: readonly JsonNode[] = none,
  ) {}
}

export class JsonString implements JsonRange {
  declare readonly kind: 'string';
  constructor(
    readonly offset: number,
    readonly length: number,
    readonly value: string,
  ) {}
}

const point = 46;
const largeE = 69;
const smallE = 101;

export class JsonNumber implements JsonRange {
  declare readonly kind: 'number';
  /** @param source the text with the number at its offset, or the number alone */
  readonly #source: string;
  constructor(
    readonly offset: number,
    source: string,
    readonly length = source.length,
  ) {
    this.#source = source;
  }
  /** Sliced on demand: most numbers are canvas positions, which nothing reads. */
  get text(): string {
    const { offset, length } = this;
    const source = this.#source;
    return source.length === length ? source : source.slice(offset, offset + length);
  }
  /** Written without fraction and exponent: what Python reads as an int. */
  get isInteger(): boolean {
    const { offset, length } = this;
    const source = this.#source;
    const start = source.length === length ? 0 : offset;
    for (let at = start; at < start + length; at++) {
      const code = source.charCodeAt(at);
      if (code === point || code === smallE || code === largeE) return false;
    }
    return true;
  }
  /** The nearest double; inexact for integers beyond 2^53, see {@link bigint}. */
  get value(): number {
    return Number(this.text);
  }
  /** An integer with more digits than a server reads. */
  get isTooLong(): boolean {
    return this.length > budgets.digits + 1 && this.isInteger;
  }
  /** The exact integer; undefined for numbers that are not written as integers, or are too long. */
  get bigint(): bigint | undefined {
    return this.isInteger && !this.isTooLong ? BigInt(this.text) : undefined;
  }
}

/** Bare NaN, Infinity or -Infinity: not strict JSON, but Python writes and reads them. */
export class JsonNonFinite implements JsonRange {
  declare readonly kind: 'nonFinite';
  constructor(
    readonly offset: number,
    readonly text: 'NaN' | 'Infinity' | '-Infinity',
  ) {}
  get length(): number {
    return this.text.length;
  }
  get value(): number {
    return Number(this.text);
  }
}

export class JsonBoolean implements JsonRange {
  declare readonly kind: 'boolean';
  constructor(
    readonly offset: number,
    readonly value: boolean,
  ) {}
  get length(): number {
    return this.value ? 4 : 5;
  }
}

export class JsonNull implements JsonRange {
  declare readonly kind: 'null';
  readonly length = 4;
  readonly value = null;
  constructor(readonly offset: number) {}
}

/** The kind is stored in the prototype: a large file has hundreds of thousands of nodes. */
const kinds: readonly (readonly [{ readonly prototype: { readonly kind: string } }, string])[] = [
  [JsonObject, 'object'],
  [JsonArray, 'array'],
  [JsonString, 'string'],
  [JsonNumber, 'number'],
  [JsonNonFinite, 'nonFinite'],
  [JsonBoolean, 'boolean'],
  [JsonNull, 'null'],
];
for (const [{ prototype }, value] of kinds) Object.defineProperty(prototype, 'kind', { value });
