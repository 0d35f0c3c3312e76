import type { Dialect } from '../../src/sandbox/dialect';
import { hashText, seededRandom } from '../../src/sandbox/drawing/random';
import { Dice } from './dice';
import type { Kill } from './program';
import { describeServerFault, type ServerFault, serverFaults } from './serverFaults';
import { describeWireFault, targets, type WireFault, wireFaultKinds } from './wireFaults';

/** One run of the command line, with everything that goes wrong in it. */
export interface SoakCase {
  readonly index: number;
  readonly group: 'network' | 'server' | 'kill';
  readonly dialect: Dialect;
  readonly wire: readonly WireFault[];
  readonly server: readonly ServerFault[];
  /** The run is killed. */
  readonly kill?: Kill;
  /** The first `fetch` of what is owed is killed. */
  readonly killFetch?: Kill;
  /**
   * How many seconds the run searches for a submission whose answer was lost; 30 by default. Most search so briefly
   * that some submissions arrive after the search, and `fetch` has to find them.
   */
  readonly lookOut?: number;
  /** Another client submits the same prompt first: it has ended, or it still runs. */
  readonly twin?: 'ended' | 'running';
  readonly outputs: number;
  readonly size: number;
  /** Steps of the job; 25 ms each. */
  readonly steps: number;
  readonly seed: number;
}

export interface SoakSize {
  readonly network: number;
  readonly server: number;
  readonly kill: number;
}

const dialects: readonly Dialect[] = ['cloud', 'local', 'local-old'];

/** The same case for the same seed and index, whatever else is run. */
export function planCase(seed: number, index: number, size: SoakSize): SoakCase {
  const dice = new Dice(seededRandom(hashText(`${seed}/${index}`)));
  const planned = planRun(dice, index, size);
  return {
    ...planned,
    ...(dice.chance(0.75) ? { lookOut: 6 } : {}),
    ...(dice.chance(0.6) ? { killFetch: killOf(dice, 700) } : {}),
  };
}

function planRun(dice: Dice, index: number, size: SoakSize): SoakCase {
  const group = index < size.network ? 'network' : index < size.network + size.server ? 'server' : 'kill';
  const dialect = dialects[index % dialects.length] ?? 'cloud';
  const shape = {
    outputs: dice.between(1, 4),
    size: dice.between(8, 160),
    steps: dice.between(2, 14),
    seed: dice.between(1, 1_000_000),
    ...(dice.chance(0.5) ? { twin: dice.pick(['ended', 'running'] as const) } : {}),
  };
  switch (group) {
    case 'network':
      return { index, group, dialect, ...shape, wire: wireFaults(dice, dice.between(1, 3)), server: [] };
    case 'server': {
      // All of them in turn, each in every dialect that supports it, before one repeats.
      const known = serverFaults.filter(({ only }) => only === undefined || only === dialect);
      const turn = Math.floor((index - size.network) / dialects.length);
      const fault = known[turn % known.length];
      const more = dice.chance(0.3) ? wireFaults(dice, 1) : [];
      return { index, group, dialect, ...shape, wire: more, server: fault ? [fault.make(dice)] : [] };
    }
    case 'kill': {
      const wire = dice.chance(0.4) ? wireFaults(dice, 1) : [];
      return { index, group, dialect, ...shape, wire, server: [], kill: killOf(dice, 1_700) };
    }
  }
}

function killOf(dice: Dice, latest: number): Kill {
  return dice.chance(0.5)
    ? { ms: dice.between(150, latest), from: 'start' }
    : { ms: dice.between(0, latest), from: 'first word' };
}

function wireFaults(dice: Dice, count: number): readonly WireFault[] {
  return Array.from({ length: count }, () => ({
    kind: dice.pick(wireFaultKinds),
    target: dice.pick(targets),
    skip: dice.chance(0.6) ? 0 : dice.between(1, 3),
    bytes: dice.chance(0.4) ? 0 : dice.between(1, 2_000),
    ms: dice.chance(0.95) ? dice.between(50, 2_500) : dice.between(10_000, 20_000),
  }));
}

export function describeCase(planned: SoakCase): string {
  const { index, dialect, wire, server, kill, killFetch, twin } = planned;
  const faults = [
    ...(twin === undefined
      ? []
      : [`the same prompt of somebody else has ${twin === 'ended' ? 'ended' : 'begun'}`]),
    ...wire.map(describeWireFault),
    ...server.map(describeServerFault),
    ...(kill ? [`SIGKILL ${kill.ms} ms after its ${kill.from}`] : []),
    ...(killFetch ? [`SIGKILL of fetch ${killFetch.ms} ms after its ${killFetch.from}`] : []),
  ];
  return `${index} ${dialect}: ${faults.join('; ')}`;
}
