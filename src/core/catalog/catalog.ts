import { parseExactRange } from '../json/boundedJson';
import { type ExactObject, isExactObject, exactFrom, type ExactValue, isExactList } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import { indexMembers, MemberIndexError, type MemberRange } from '../json/memberIndex';
import { type NodeDefinition, readNodeDefinition } from './nodeDefinition';
import { t } from '../safety/localize';

/** The text isn't a list of node definitions from the given offset on. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  constructor(
    readonly offset: number,
    options?: ErrorOptions,
  ) {
    super(
      t`The node definitions couldn't be read (at character ${offset}). Refresh them from the server.`,
      options,
    );
  }
}

type Source = (classType: string) => ExactObject | undefined;

/** The node definitions of one server. Each is parsed on first use, since a workflow uses few of thousands. */
export class Catalog {
  readonly #known = new Map<string, NodeDefinition | undefined>();

  private constructor(
    readonly classTypes: readonly string[],
    private readonly names: ReadonlyMap<string, unknown>,
    private readonly read: Source,
  ) {}

  /** Opens the answer of `GET /object_info` (protocol 1.2). Throws {@link CatalogError} if it isn't a JSON object. */
  static fromText(text: string): Catalog {
    const ranges = rangesOf(text);
    return new Catalog([...ranges.keys()], ranges, (classType) => {
      const range = ranges.get(classType);
      return range && readRange(text, range);
    });
  }

  /** Definitions written in code, in the shape of the server's answer; `FLOAT` options become floats (1 is written as 1.0). */
  static fromDefinitions(definitions: Readonly<Record<string, unknown>>): Catalog {
    const names = new Map(Object.entries(definitions));
    return new Catalog([...names.keys()], names, (classType) => {
      return names.has(classType) ? authoredDefinition(names.get(classType)) : undefined;
    });
  }

  get size(): number {
    return this.names.size;
  }

  /** Whether the server has the node type. Names are exact: case and spaces matter. */
  has(classType: string): boolean {
    return this.names.has(classType);
  }

  /** The definition of a node type; undefined when the server lacks it or sent something unreadable. */
  get(classType: string): NodeDefinition | undefined {
    if (!this.names.has(classType)) return undefined;
    if (!this.#known.has(classType)) this.#known.set(classType, this.#define(classType));
    return this.#known.get(classType);
  }

  /** All definitions, parsed one by one and not kept. */
  *definitions(): IterableIterator<NodeDefinition> {
    for (const classType of this.classTypes) {
      const definition = this.#known.get(classType) ?? this.#define(classType);
      if (definition) yield definition;
    }
  }

  /** These definitions with newer ones on top, such as a single refreshed node type. */
  updatedBy(newer: Catalog): Catalog {
    const names = new Map([...this.names, ...newer.names]);
    return new Catalog([...names.keys()], names, (classType) =>
      newer.has(classType) ? newer.read(classType) : this.read(classType),
    );
  }

  toText(classType?: string): string {
    const asked = classType === undefined ? this.classTypes : [classType];
    const members = asked.flatMap((name) => {
      const raw = this.names.has(name) ? this.read(name) : undefined;
      return raw ? [`${JSON.stringify(name)}: ${writeExact(raw)}`] : [];
    });
    return `{${members.join(', ')}}`;
  }

  #define(classType: string): NodeDefinition | undefined {
    const raw = this.read(classType);
    return raw && readNodeDefinition(classType, raw);
  }
}

function rangesOf(text: string): ReadonlyMap<string, MemberRange> {
  try {
    return indexMembers(text);
  } catch (error) {
    if (error instanceof MemberIndexError) throw new CatalogError(error.offset, { cause: error });
    throw error;
  }
}

/** Unreadable definitions are skipped, as the server skips what it can't list. */
function readRange(text: string, { start, end }: MemberRange): ExactObject | undefined {
  try {
    const value = parseExactRange(text, start, end);
    return isExactObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const floatOptions = new Set(['default', 'min', 'max', 'step', 'round']);

/**
 * A definition written in code as the server would have it: JavaScript has only one number type, so the options of
 * FLOAT inputs, at any depth, are converted to floats here. Undefined when it is not an object.
 */
function authoredDefinition(definition: unknown): ExactObject | undefined {
  const exact = withFloats(exactFrom(definition));
  return isExactObject(exact) ? exact : undefined;
}

function withFloats(value: ExactValue): ExactValue {
  if (isExactObject(value)) return new Map([...value].map(([name, member]) => [name, withFloats(member)]));
  if (!isExactList(value)) return value;
  const [type, options] = value;
  if (type !== 'FLOAT' || !isExactObject(options)) return value.map(withFloats);
  const exact = [...options].map(([name, member]): [string, ExactValue] => {
    return [name, floatOptions.has(name) && typeof member === 'bigint' ? Number(member) : member];
  });
  return [type, new Map(exact), ...value.slice(2)];
}
