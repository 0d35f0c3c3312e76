import type { RegistryNode } from '../protocol/registry/registryNode';
import { orAborted } from '../client/timing';
import { isAskable, isEditorOnly, type CoreClasses, type PackAnswer, type UnknownClass } from './packAnswer';
import type { PackCache } from './packCache';
import { readPackCard } from './packCard';
import type { RegistryClient } from './registryClient';

type Registry = Pick<RegistryClient, 'baseUrl' | 'packOfClass' | 'pack' | 'search'>;

/** The id of ComfyUI itself in the registry's own tools: not a pack to install. */
const coreId = 'comfy-core';
const core: PackAnswer = { kind: 'core' };
const none: PackAnswer = { kind: 'none' };

/** Finds the packs of node types that the server doesn't have (protocol 6.2), with one request a day for each. */
export class PackLookup {
  readonly #underWay = new Map<string, Promise<PackAnswer>>();

  constructor(
    private readonly registry: Registry,
    private readonly cache: PackCache,
    private readonly core: CoreClasses,
  ) {}

  known(unknown: UnknownClass): PackAnswer | undefined {
    const { classType, pack } = unknown;
    const isCore = pack === undefined && this.core.knows(classType);
    return settled(unknown) ?? (isCore ? core : this.cache.get(this.#key(unknown)));
  }

  forgetPack(id: string): void {
    this.cache.forgetPack(id);
  }

  /** Callers share one request. Rejects with `ServerError` if the registry doesn't answer: that is no miss and not cached. */
  async find(unknown: UnknownClass, signal?: AbortSignal): Promise<PackAnswer> {
    const answer = settled(unknown);
    if (answer) return answer;
    // A node type with the same name as one of ComfyUI's may still be a different one, if the file names its pack.
    if (unknown.pack === undefined && (await this.core.has(unknown.classType))) return core;
    await this.cache.load();
    const key = this.#key(unknown);
    const known = this.cache.get(key);
    if (known) return known;
    const asking = this.#underWay.get(key) ?? this.#start(key, unknown);
    return signal ? orAborted(asking, signal) : asking;
  }

  #start(key: string, unknown: UnknownClass): Promise<PackAnswer> {
    const asking = this.#ask(unknown)
      .then((answer) => {
        this.cache.set(key, answer);
        return answer;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    return asking;
  }

  async #ask({ classType, pack }: UnknownClass): Promise<PackAnswer> {
    const provider = await this.registry.packOfClass(classType);
    if (provider?.id === coreId) return core;
    const named = provider ?? (pack === undefined ? undefined : await this.registry.pack(pack));
    if (named) return found(named, 'provides', pack);
    const { nodes } = await this.registry.search({ classType, limit: 3 });
    const [best] = nodes.filter(({ id }) => id !== coreId);
    return best ? found(best, 'maybe') : none;
  }

  #key({ classType, pack = '' }: UnknownClass): string {
    return JSON.stringify([this.registry.baseUrl, classType, pack]);
  }
}

function settled({ classType, pack }: UnknownClass): PackAnswer | undefined {
  if (!isAskable(classType) || isEditorOnly(classType)) return none;
  return pack === coreId ? core : undefined;
}

function found(pack: RegistryNode, how: 'provides' | 'maybe', askedFor?: string): PackAnswer {
  const card = readPackCard(pack, askedFor);
  return card ? { kind: 'found', how, card } : none;
}
