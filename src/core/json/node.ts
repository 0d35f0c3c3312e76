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
  length: number;
  constructor(readonly key: JsonString) {
    this.length = key.length;
  }
  get name(): string {
    return this.key.value;
  }
  get offset(): number {
    return this.key.offset;
  }
}

/** Objects below this size are searched; larger ones get an index on the first look-up. */
const indexFrom = 9;

export class JsonObject implements JsonRange {
  readonly kind = 'object';
  readonly properties: JsonProperty[] = [];
  length = 0;
  private index: Map<string, JsonProperty> | undefined;
  constructor(readonly offset: number) {}

  /** The property of that name; of several the last one, as every JSON reader has it. */
  property(name: string): JsonProperty | undefined {
    if (this.properties.length < indexFrom) return this.properties.findLast((each) => each.name === name);
    this.index ??= new Map(this.properties.map((each) => [each.name, each]));
    return this.index.get(name);
  }

  get(name: string): JsonNode | undefined {
    return this.property(name)?.value;
  }
}

export class JsonArray implements JsonRange {
  readonly kind = 'array';
  readonly items: JsonNode[] = [];
  length = 0;
  constructor(readonly offset: number) {}
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
    return !/[.eE]/.test(this.text);
  }
  /** The nearest double; inexact for integers beyond 2^53, see {@link bigint}. */
  get value(): number {
    return Number(this.text);
  }
  /** The exact integer; undefined for numbers that are not written as integers. */
  get bigint(): bigint | undefined {
    return this.isInteger ? BigInt(this.text) : undefined;
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
