import { Catalog } from '../catalog/catalog';
import { CatalogError } from '../catalog/catalog';
import { readReplacements } from '../check/replacements';
import type { NodeReplacements } from '../check/replacements';
import type { ExecutionClient } from '../client/execution';
import type { Transport } from '../client/transport';
import { parseLooseJson } from '../json/looseJson';
import { ServerError } from '../protocol/serverError';

/** What a server says about its nodes: all that a prompt can be checked against before it is sent. */
export interface NodeRules {
  /** Missing when the server gives no definitions: then nothing but the structure of a prompt is checked. */
  readonly catalog?: Catalog;
  readonly replacements?: NodeReplacements;
}

/**
 * The node rules of one server, read when they are first needed and kept. Waiting callers share one reading; who
 * leaves does not end it for the others.
 */
export class NodeRulesSource {
  #reading: Promise<NodeRules> | undefined;
  #readAt = 0;

  constructor(
    private readonly client: Pick<ExecutionClient, 'objectInfo'>,
    private readonly transport: Pick<Transport, 'request'>,
    private readonly lifetime: AbortSignal,
    private readonly now: () => number,
  ) {}

  get(): Promise<NodeRules> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** The rules as they are now; those that were read just before count as such. */
  fresh(maxAge: number): Promise<NodeRules> {
    if (this.#reading !== undefined && this.now() - this.#readAt > maxAge) this.#reading = undefined;
    return this.get();
  }

  async #read(): Promise<NodeRules> {
    this.#readAt = this.now();
    try {
      const [text, replacements] = await Promise.all([
        this.client.objectInfo(undefined, this.lifetime),
        this.#readReplacements(),
      ]);
      return { catalog: Catalog.fromText(text), ...(replacements && { replacements }) };
    } catch (error) {
      // The next caller asks again.
      this.#reading = undefined;
      if (!leavesUnchecked(error)) throw error;
      return {};
    }
  }

  /** A table of newer servers; without it no class is replaced. */
  async #readReplacements(): Promise<NodeReplacements | undefined> {
    try {
      const { text } = await this.transport.request({
        path: '/api/node_replacements',
        signal: this.lifetime,
      });
      return readReplacements(parseLooseJson(text));
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
