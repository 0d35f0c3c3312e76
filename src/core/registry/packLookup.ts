import type { RegistryNode } from '../protocol/registry/registryNode';
import { orAborted } from '../client/timing';
import { isAskable, isEditorOnly } from './classTypeNames';
import type { CoreClasses, PackAnswer, UnknownClass } from './packAnswer';
import type { PackCache } from './packCache';
import { cardOf } from './packCard';
import type { RegistryClient } from './registryClient';

type Registry = Pick<RegistryClient, 'baseUrl' | 'packOfClass' | 'pack' | 'search'>;

/** The id under which the registry's own tools speak of the core: it is no pack that one installs. */
const coreId = 'comfy-core';
const core: PackAnswer = { kind: 'core' };
const none: PackAnswer = { kind: 'none' };

/**
 * From unknown class types to packs (protocol 6.2), each asked for once a day. The caller has looked into the server's
 * definitions and replacements before: what is known there is not asked for.
 */
export class PackLookup {
  readonly #registry: Registry;
  readonly #cache: PackCache;
  readonly #core: CoreClasses;
  readonly #underWay = new Map<string, Promise<PackAnswer>>();

  constructor(registry: Registry, cache: PackCache, coreClasses: CoreClasses) {
    this.#registry = registry;
    this.#cache = cache;
    this.#core = coreClasses;
  }

  /** What is known without asking anybody. */
  known(unknown: UnknownClass): PackAnswer | undefined {
    const { classType, pack } = unknown;
    const isCore = pack === undefined && this.#core.knows(classType);
    return settled(unknown) ?? (isCore ? core : this.#cache.get(this.#key(unknown)));
  }

  /** What was known of a pack counts no longer, as after a review. */
  forgetPack(id: string): void {
    this.#cache.forgetPack(id);
  }

  /**
   * The pack of a class. Callers share one question; who leaves early does not end it for the others. Fails with
   * `ServerError` where the registry does not answer: that is no miss and is not kept.
   */
  async find(unknown: UnknownClass, signal?: AbortSignal): Promise<PackAnswer> {
    const answer = settled(unknown);
    if (answer) return answer;
    // A class that has the name of one of ComfyUI's own may still be another, where the file names its pack.
    if (unknown.pack === undefined && (await this.#core.has(unknown.classType))) return core;
    await this.#cache.load();
    const key = this.#key(unknown);
    const known = this.#cache.get(key);
    if (known) return known;
    const asking = this.#underWay.get(key) ?? this.#start(key, unknown);
    return signal ? orAborted(asking, signal) : asking;
  }

  #start(key: string, unknown: UnknownClass): Promise<PackAnswer> {
    const asking = this.#ask(unknown)
      .then((answer) => {
        this.#cache.set(key, answer);
        return answer;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    return asking;
  }

  async #ask({ classType, pack }: UnknownClass): Promise<PackAnswer> {
    const provider = await this.#registry.packOfClass(classType);
    if (provider?.id === coreId) return core;
    const named = provider ?? (pack === undefined ? undefined : await this.#registry.pack(pack));
    if (named) return found(named, 'provides', pack);
    const { nodes } = await this.#registry.search({ classType, limit: 3 });
    const [best] = nodes.filter(({ id }) => id !== coreId);
    return best ? found(best, 'maybe') : none;
  }

  #key({ classType, pack = '' }: UnknownClass): string {
    return JSON.stringify([this.#registry.baseUrl, classType, pack]);
  }
}

/** What is so without anybody's answer. */
function settled({ classType, pack }: UnknownClass): PackAnswer | undefined {
  if (!isAskable(classType) || isEditorOnly(classType)) return none;
  return pack === coreId ? core : undefined;
}

function found(pack: RegistryNode, how: 'provides' | 'maybe', askedFor?: string): PackAnswer {
  const card = cardOf(pack, askedFor);
  return card ? { kind: 'found', how, card } : none;
}
