import { Catalog, CatalogError } from '../catalog/catalog';
import { readReplacements, type NodeReplacements } from '../catalog/nodeReplacements';
import type { ExecutionClient } from '../client/execution';
import type { Transport } from '../client/transport';
import { parsePythonJson } from '../json/boundedJson';
import { ServerError } from '../protocol/serverError';

export interface ServerDefinitions {
  /** Missing when the server provides no definitions: then only the structure of a prompt is checked. */
  readonly catalog?: Catalog;
  readonly replacements?: NodeReplacements | undefined;
  readonly version?: string | undefined;
}

export interface DefinitionTexts {
  readonly definitions: string;
  readonly replacements?: string | undefined;
}

export interface DefinitionsReading {
  readonly rules: ServerDefinitions;
  /** Missing when only one node type was refreshed. */
  readonly texts?: DefinitionTexts;
}

export type KeptServerDefinitions = Required<DefinitionsReading>;

/** Throws {@link CatalogError} when the definitions are not a complete JSON object. */
export function serverDefinitionsFrom({ definitions, replacements }: DefinitionTexts): ServerDefinitions {
  const table = replacements === undefined ? undefined : tableFrom(replacements);
  return { catalog: Catalog.fromText(definitions), replacements: table };
}

function tableFrom(text: string): NodeReplacements | undefined {
  try {
    return readReplacements(parsePythonJson(text));
  } catch {
    return undefined;
  }
}

export interface DefinitionsReaderOptions {
  readonly client: Pick<ExecutionClient, 'objectInfo' | 'singleObjectInfo' | 'systemStats'>;
  readonly transport: Pick<Transport, 'request'>;
  readonly lifetime: AbortSignal;
  readonly now: () => number;
  readonly onRead?: ((reading: DefinitionsReading) => void) | undefined;
}

/** The node rules of one server, read on first use. Callers share a reading, which continues if one leaves. */
export class DefinitionsReader {
  #reading: Promise<ServerDefinitions> | undefined;
  #readAt = 0;
  #kept: KeptServerDefinitions | undefined;

  constructor(private readonly options: DefinitionsReaderOptions) {}

  get(): Promise<ServerDefinitions> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** Keeps what was read before, such as in an earlier window, for as long as the server answers the same. */
  keep(kept: KeptServerDefinitions): void {
    this.#kept ??= kept;
  }

  fresh(maxAge: number): Promise<ServerDefinitions> {
    if (this.#reading !== undefined && this.options.now() - this.#readAt >= maxAge) this.#reading = undefined;
    return this.get();
  }

  /**
   * Of these node types alone, not kept. Undefined if all definitions must tell: one is unknown, which calls for similar
   * ones, or deprecated, which calls for its successor.
   */
  async single(
    classTypes: readonly string[],
    version: string | undefined,
  ): Promise<ServerDefinitions | undefined> {
    if (this.#reading !== undefined) return undefined;
    const { client, lifetime } = this.options;
    const asked = classTypes.map((each) => client.singleObjectInfo(each, lifetime));
    try {
      const [table, ...texts] = await Promise.all([this.#readReplacements(), ...asked]);
      const catalog = texts
        .map((text) => Catalog.fromText(text))
        .reduce((one, other) => one.updatedBy(other), Catalog.fromDefinitions({}));
      if (!classTypes.every((each) => catalog.get(each)?.deprecated === false)) return undefined;
      return { catalog, replacements: table === undefined ? undefined : tableFrom(table), version };
    } catch (error) {
      // The list of all says what is wrong, and is waited for longer.
      if (error instanceof CatalogError || ServerError.is(error)) return undefined;
      throw error;
    }
  }

  async freshNode(classType: string): Promise<ServerDefinitions> {
    const { client, lifetime, onRead } = this.options;
    const known = await this.get();
    const text = await client.singleObjectInfo(classType, lifetime);
    const { catalog } = known;
    const newer = Catalog.fromText(text);
    // The caller just read the definitions, so reading them again would be wasteful.
    const isSame = !newer.has(classType) || newer.toText(classType) === catalog?.toText(classType);
    if (!catalog || isSame) return known;
    const rules = { ...known, catalog: catalog.updatedBy(newer) };
    this.#reading = Promise.resolve(rules);
    onRead?.({ rules });
    return rules;
  }

  async #read(): Promise<ServerDefinitions> {
    const { client, lifetime, now, onRead } = this.options;
    this.#readAt = now();
    try {
      const [definitions, replacements, version] = await Promise.all([
        client.objectInfo(undefined, lifetime),
        this.#readReplacements(),
        // A server that doesn't report its version is judged without it.
        client.systemStats(lifetime).then(
          (stats) => stats.version,
          () => undefined,
        ),
      ]);
      const texts = { definitions, replacements };
      const rules = this.#rulesOf(texts, version);
      this.#kept = { rules, texts };
      onRead?.({ rules, texts });
      return rules;
    } catch (error) {
      this.#reading = undefined;
      if (!leavesUnchecked(error)) throw error;
      return {};
    }
  }

  /** Rules made of the same answers before are still good, with all that was read in them since. */
  #rulesOf(texts: DefinitionTexts, version: string | undefined): ServerDefinitions {
    const kept = this.#kept;
    const isSame =
      kept?.texts.definitions === texts.definitions && kept.texts.replacements === texts.replacements;
    if (!isSame) return { ...serverDefinitionsFrom(texts), version };
    return kept.rules.version === version ? kept.rules : { ...kept.rules, version };
  }

  /** Only newer servers have this table; without it, no node type is replaced. */
  async #readReplacements(): Promise<string | undefined> {
    const { transport, lifetime: signal } = this.options;
    try {
      const { text } = await transport.request({ path: '/api/node_replacements', signal });
      return text;
    } catch {
      return undefined;
    }
  }
}

/** The server is there but does not give its definitions: the workflow may run all the same. */
function leavesUnchecked(error: unknown): boolean {
  if (error instanceof CatalogError) return true;
  return (
    error instanceof ServerError &&
    ['server', 'notFound', 'unexpectedShape', 'tooLarge', 'forbidden'].includes(error.reason)
  );
}
