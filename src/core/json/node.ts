import { budgets } from '../safety/budgets';

/** Where a piece of JSON stands: UTF-16 offsets into the text it was read from. */
export interface JsonRange {
  readonly offset: number;
  readonly length: number;
}

/** A JSON value that knows its place. Numbers keep their source text, so no digit is ever lost. */
export type JsonNode =
  JsonObject | JsonArray | JsonString | JsonNumber | JsonNonFinite | JsonBoolean | JsonNull;

/** `"name": value`. The value is missing only where the text is broken. */
export class JsonProperty implements JsonRange {
  value: JsonNode | undefined;
  constructor(
    readonly offset: number,
    private readonly keyLength: number,
    readonly name: string,
  ) {}
  /** To the end of the value. */
  get length(): number {
    return this.value ? this.value.offset + this.value.length - this.offset : this.keyLength;
  }
  /** Made when asked for: few names are, and there is one in every property. */
  get key(): JsonString {
    return new JsonString(this.offset, this.keyLength, this.name);
  }
}

/** Objects below this size are searched, nodes of a graph among them; larger ones get an index on the first look-up. */
const indexFrom = 33;

const none: readonly never[] = [];

export class JsonObject implements JsonRange {
  readonly kind = 'object';
  /** Set once, when the object has been read to its end. */
  properties: readonly JsonProperty[] = none;
  length = 0;
  private index: Map<string, JsonProperty> | undefined;
  constructor(readonly offset: number) {}

  /** The property of that name; of several the last one, as every JSON reader has it. */
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
  readonly kind = 'array';
  length = 0;
  constructor(
    readonly offset: number,
    public items: readonly JsonNode[] = none,
  ) {}
}

export class JsonString implements JsonRange {
  readonly kind = 'string';
  constructor(
    readonly offset: number,
    readonly length: number,
    readonly value: string,
  ) {}
}

export class JsonNumber implements JsonRange {
  readonly kind = 'number';
  constructor(
    readonly offset: number,
    readonly text: string,
  ) {}
  get length(): number {
    return this.text.length;
  }
  /** Written without fraction and exponent: what Python reads as an int. */
  get isInteger(): boolean {
    const { text } = this;
    return !text.includes('.') && !text.includes('e') && !text.includes('E');
  }
  /** The nearest double; inexact for integers beyond 2^53, see {@link bigint}. */
  get value(): number {
    return Number(this.text);
  }
  /** A whole number of more digits than a server reads. */
  get isTooLong(): boolean {
    return this.text.length > budgets.digits + 1 && this.isInteger;
  }
  /** The exact integer; undefined for numbers that are not written as integers, or are too long. */
  get bigint(): bigint | undefined {
    return this.isInteger && !this.isTooLong ? BigInt(this.text) : undefined;
  }
}

/** Bare NaN, Infinity or -Infinity: not strict JSON, but Python writes and reads them. */
export class JsonNonFinite implements JsonRange {
  readonly kind = 'nonFinite';
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
  readonly kind = 'boolean';
  constructor(
    readonly offset: number,
    readonly value: boolean,
  ) {}
  get length(): number {
    return this.value ? 4 : 5;
  }
}

export class JsonNull implements JsonRange {
  readonly kind = 'null';
  readonly length = 4;
  readonly value = null;
  constructor(readonly offset: number) {}
}
