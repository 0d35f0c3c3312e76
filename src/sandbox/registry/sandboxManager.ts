import { setTimeout as delay } from 'node:timers/promises';
import { nodesIn } from '../nodes/nodeSet';
import type { SandboxNode } from '../nodes/sandboxNode';
import type { PackStore, SandboxPack } from './packStore';

/** The last two have a security level that forbids installs (protocol 9.1). */
export type ManagerKind = 'v3' | 'v4' | 'forbidden' | 'v4-forbidden';

export interface ManagerTask {
  readonly task: string;
  readonly id: string;
  readonly version: string;
}

/** Milliseconds without the server during a restart. */
const downTime = 200;

/** Downloads and runs nothing, but installs packs of the practice registry. */
export class SandboxManager {
  readonly isNewer: boolean;
  readonly isForbidden: boolean;
  readonly results = new Map<string, string>();
  readonly installed = new Map<string, string>();
  readonly #pace: number;
  #waiting: ManagerTask[] = [];
  #running = false;
  #downUntil = 0;

  constructor(
    kind: ManagerKind,
    private readonly packs: PackStore,
    timing: 'fast' | 'human',
  ) {
    this.isNewer = kind.startsWith('v4');
    this.isForbidden = kind.endsWith('forbidden');
    this.#pace = timing === 'fast' ? 30 : 2_000;
  }

  get version(): string {
    return this.isNewer ? 'V4.2.2' : 'V3.41';
  }

  get isDown(): boolean {
    return Date.now() < this.#downUntil;
  }

  get isRunning(): boolean {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Undefined if the registry doesn't have the pack. */
  versions(id: string): SandboxPack['versions'] | undefined {
    return this.packs.pack(id)?.versions;
  }

  queue(task: ManagerTask): void {
    this.#waiting.push(task);
  }

  /** False if the queue is already running. */
  start(): boolean {
    if (this.#running) return false;
    this.#running = true;
    if (!this.isNewer) this.results.clear();
    void this.#work();
    return true;
  }

  restart(): void {
    this.#waiting = [];
    this.results.clear();
    this.#downUntil = Date.now() + downTime;
  }

  /** A server has the nodes of new packs only after a restart. */
  nodes(): readonly SandboxNode[] {
    return [...this.installed.keys()].flatMap((id) => {
      const pack = this.packs.pack(id);
      return pack === undefined ? [] : nodesOf(pack);
    });
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await delay(this.#pace, undefined, { ref: false });
      this.results.set(next.task, this.#install(next));
    }
    this.#running = false;
  }

  #install({ id, version }: ManagerTask): string {
    if (this.isForbidden) return 'failed';
    const pack = this.packs.pack(id);
    if (pack?.versions.every((each) => each['version'] !== version) ?? true)
      return `not available node: ${id}@${version}`;
    this.installed.set(id, version);
    return 'success';
  }
}

function nodesOf({ id, record, classTypes }: SandboxPack): readonly SandboxNode[] {
  return nodesIn(
    { module: `custom_nodes.${id}`, category: String(record['name']) },
    classTypes.map((classType) => `${classType}(image?: IMAGE) -> IMAGE`),
  );
}
