import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scratch } from '../support/scratch';
import { packageExtension } from './packageExtension';

const manifest = {
  name: 'host-watch',
  publisher: 'bench',
  version: '1.0.0',
  license: 'MIT',
  engines: { vscode: '^1.100.0' },
  main: './main.js',
  activationEvents: ['*'],
};

/** Watches the event loop; writes an answer for each question file that appears, then starts anew. */
const source = `const { existsSync, renameSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const every = 5;
const cpu = () => {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
};
exports.activate = () => {
  require('node:v8').setFlagsFromString('--expose-gc');
  const gc = require('node:vm').runInNewContext('gc');
  let seen = { blocked: 0, busy: 0 };
  let at = performance.now();
  let used = cpu();
  const look = () => {
    const now = [performance.now(), cpu()];
    const blocked = Math.max(0, now[0] - at - every);
    // On a machine with other work, the host waits for a processor too.
    seen = { blocked: Math.max(seen.blocked, blocked), busy: Math.max(seen.busy, Math.min(blocked, now[1] - used)) };
    [at, used] = now;
  };
  setInterval(look, every);
  let number = 0;
  setInterval(() => {
    const question = join(tmpdir(), 'question-' + number);
    if (!existsSync(question)) return;
    look();
    const answered = seen;
    gc();
    gc();
    const { heapUsed, external } = process.memoryUsage();
    const answer = { ...answered, bytes: heapUsed + external };
    const file = join(tmpdir(), 'answer-' + number++);
    writeFileSync(file + '.part', JSON.stringify(answer));
    renameSync(file + '.part', file);
    [at, used] = [performance.now(), cpu()];
    seen = { blocked: 0, busy: 0 };
  }, 100);
};
`;

/** What the extension host did since the last answer. */
export interface HostSeen {
  /** The longest time that its event loop was blocked, ms. */
  readonly blocked: number;
  /** The same without the time in which its thread was not running, because other programs were. */
  readonly busy: number;
  /** Reachable now. */
  readonly bytes: number;
}

/** Packages an extension that watches the host it shares with the others. */
export function packageHostWatch(folder: string): string {
  return packageExtension(folder, manifest, source);
}

/** Asks that extension. Each answer begins a new measurement. */
export class HostWatch {
  readonly #folder: string;
  #number = 0;

  constructor({ home }: Scratch) {
    this.#folder = path.join(home, 'tmp');
  }

  async ask(): Promise<HostSeen> {
    const number = this.#number++;
    writeFileSync(path.join(this.#folder, `question-${number}`), '');
    const answer = path.join(this.#folder, `answer-${number}`);
    const limit = Date.now() + 60_000;
    while (!existsSync(answer)) {
      if (Date.now() > limit) throw new Error('The extension host does not answer.');
      await sleep(50);
    }
    return JSON.parse(readFileSync(answer, 'utf8')) as HostSeen;
  }
}
