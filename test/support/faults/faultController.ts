import { type FaultInput, type FaultName, faultSchemas, type FaultSettings } from './faultOptions';

interface SetFault {
  readonly name: FaultName;
  readonly options: Readonly<Record<string, unknown>>;
  left: number | undefined;
}

export class FaultController {
  #faults: SetFault[] = [];
  readonly #listeners = new Set<(name: FaultName, on: boolean) => void>();

  /**
   * Turns a fault on, or replaces its options. `answer` and `loseAnswer` can be on for several routes.
   * @throws Error when the options do not fit.
   */
  set<N extends FaultName>(name: N, options?: FaultInput<N>): void {
    const parsed = faultSchemas[name].safeParse(options ?? {});
    if (!parsed.success) throw new Error(`Invalid options for ${name}: ${parsed.error.message}`);
    const fault: SetFault = { name, options: parsed.data, left: timesOf(parsed.data) };
    this.#faults = [...this.#faults.filter((other) => !replaces(fault, other)), fault];
    this.#tell(name, true);
    if (name === 'restartServer' || name === 'loseUploads') this.clear(name);
  }

  clear(name?: FaultName): void {
    const gone = this.#faults.filter((fault) => name === undefined || fault.name === name);
    this.#faults = this.#faults.filter((fault) => !gone.includes(fault));
    for (const cleared of new Set(gone.map((fault) => fault.name))) this.#tell(cleared, false);
  }

  /** The options of a fault that is on; does not count as a strike. */
  look<N extends FaultName>(name: N): FaultSettings<N> | undefined {
    return this.#faults.find((fault) => fault.name === name)?.options as FaultSettings<N> | undefined;
  }

  /** The options of a fault that strikes now; uses up one strike. */
  strike<N extends FaultName>(
    name: N,
    fits?: (settings: FaultSettings<N>) => boolean,
  ): FaultSettings<N> | undefined {
    const fault = this.#faults.find(
      (candidate) =>
        candidate.name === name && (fits === undefined || fits(candidate.options as FaultSettings<N>)),
    );
    if (!fault) return undefined;
    if (fault.left !== undefined && --fault.left <= 0) {
      this.#faults = this.#faults.filter((other) => other !== fault);
      this.#tell(name, false);
    }
    return fault.options as FaultSettings<N>;
  }

  /** Calls the listener for every fault that is turned on or off; the result ends it. */
  onChange(listener: (name: FaultName, on: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(name: FaultName, on: boolean): void {
    for (const listener of this.#listeners) listener(name, on);
  }
}

function timesOf(options: object): number | undefined {
  const times = 'times' in options ? options.times : undefined;
  return typeof times === 'number' ? times : undefined;
}

function replaces(fault: SetFault, other: SetFault): boolean {
  if (fault.name !== other.name) return false;
  return (
    fault.options['path'] === other.options['path'] && fault.options['method'] === other.options['method']
  );
}

/**
 * Whether a route fault applies to a request. `*` at the end of the path matches the rest; `/api` makes no
 * difference.
 */
export function meansRoute(
  settings: { readonly method: string; readonly path: string },
  method: string,
  path: string,
): boolean {
  if (settings.method !== '*' && settings.method.toUpperCase() !== method) return false;
  const given = path.startsWith('/api/') ? path.slice('/api'.length) : path;
  const wanted = settings.path.startsWith('/api/') ? settings.path.slice('/api'.length) : settings.path;
  return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}
