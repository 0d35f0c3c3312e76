import type { SoakCase } from './soakCase';
import { missing, type Seen } from './verdict';

interface Row {
  runs: number;
  done: number;
  failed: number;
  killed: number;
  fetchesKilled: number;
  jobs: number;
  outputs: number;
  first: number;
  later: number;
  problems: number;
  seconds: number;
}

const columns: readonly (readonly [string, (row: Row) => string | number])[] = [
  ['runs', (row) => row.runs],
  ['exit 0', (row) => row.done],
  ['exit 1', (row) => row.failed],
  ['killed', (row) => row.killed],
  ['fetches killed', (row) => row.fetchesKilled],
  ['jobs taken', (row) => row.jobs],
  ['outputs made', (row) => row.outputs],
  ['saved at once', (row) => row.first],
  ['fetched later', (row) => row.later],
  ['runs with problems', (row) => row.problems],
  ['seconds', (row) => row.seconds.toFixed(0)],
];

export class Figures {
  readonly #rows = new Map<SoakCase['group'], Row>();
  readonly #faults = new Map<string, number>();
  readonly #problems = new Map<string, number>();
  #broken = 0;

  get failed(): number {
    return this.#broken + [...this.#rows.values()].reduce((sum, { problems }) => sum + problems, 0);
  }

  /** A case that could not be judged: its server or its proxy failed. */
  broke(): void {
    this.#broken++;
  }

  add(
    { planned, run, struck, accepted, made, after, killed, recovered }: Seen,
    problems: readonly string[],
  ): void {
    const row = this.#row(planned.group);
    row.runs++;
    if (run.code === 0) row.done++;
    else if (run.code === null) row.killed++;
    else row.failed++;
    row.fetchesKilled += killed.filter(({ code }) => code === null).length;
    row.jobs += accepted.length;
    row.outputs += made.length;
    const atOnce = made.length - missing(made, after).length;
    row.first += atOnce;
    row.later += made.length - missing(made, recovered).length - atOnce;
    if (problems.length > 0) row.problems++;
    row.seconds += run.ms / 1_000;
    for (const kind of struck) count(this.#faults, kind);
    for (const { name } of planned.server) count(this.#faults, name);
    for (const problem of problems)
      count(this.#problems, problem.replaceAll(/[0-9a-f]{8}-\S+|\S+\.\w+|\d+/g, '…'));
  }

  table(): string {
    const names = [...this.#rows.keys()];
    const rows = columns.map(([title, value]) =>
      [title.padEnd(20), ...names.map((name) => String(value(this.#row(name))).padStart(9))].join(''),
    );
    const head = ['', ...names].map((name, at) => (at === 0 ? ''.padEnd(20) : name.padStart(9))).join('');
    return [head, ...rows, `faults: ${listed(this.#faults)}`, `problems: ${listed(this.#problems)}`].join(
      '\n',
    );
  }

  #row(name: SoakCase['group']): Row {
    const row = this.#rows.get(name) ?? {
      ...{ runs: 0, done: 0, failed: 0, killed: 0, fetchesKilled: 0, jobs: 0, outputs: 0 },
      ...{ first: 0, later: 0, problems: 0, seconds: 0 },
    };
    this.#rows.set(name, row);
    return row;
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listed(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.length === 0 ? 'none' : sorted.map(([name, times]) => `${name} ${times}`).join(', ');
}
