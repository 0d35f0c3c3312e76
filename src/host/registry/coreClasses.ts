import { setImmediate } from 'node:timers/promises';
import { Catalog } from '../../core/catalog/catalog';
import type { CoreClasses } from '../../core/registry/packAnswer';

/** A server's cached node definitions; undefined if there are none. */
export interface CachedDefinitions {
  readonly server: string;
  readonly text: () => Promise<string | undefined>;
}

/** Modules of ComfyUI itself (workflows 3); those of packs are `custom_nodes.PACK`. */
const coreModule = /^(nodes|comfy_extras|comfy_api_nodes)(\.|$)/;

const atOnce = 100;

/**
 * ComfyUI's own node types, from the definitions of every server ever read: what one server lacks may be a core type of
 * a newer one. Each server is read at most once per window, and none before it is needed.
 */
export class KeptCoreClasses implements CoreClasses {
  readonly #reading = new Map<string, Promise<void>>();
  readonly #names = new Set<string>();

  constructor(private readonly kept: () => readonly CachedDefinitions[]) {}

  knows(classType: string): boolean {
    return this.#names.has(classType);
  }

  async has(classType: string): Promise<boolean> {
    // One after the other: definitions are megabytes, and most names are in the first.
    for (const kept of this.kept()) {
      if (this.knows(classType)) break;
      await this.#readOnce(kept);
    }
    return this.knows(classType);
  }

  #readOnce(kept: CachedDefinitions): Promise<void> {
    const known = this.#reading.get(kept.server);
    // Unreadable definitions contribute nothing.
    const reading = known ?? this.#read(kept).catch(() => undefined);
    this.#reading.set(kept.server, reading);
    return reading;
  }

  async #read({ text }: CachedDefinitions): Promise<void> {
    const definitions = await text();
    if (definitions === undefined) return;
    let read = 0;
    for (const { classType, pythonModule } of Catalog.fromText(definitions).definitions()) {
      if (coreModule.test(pythonModule)) this.#names.add(classType);
      if (++read % atOnce === 0) await setImmediate();
    }
  }
}
