import { mapDefined } from '../../safety/lists';
import { type ExactValue, exactValue, isExactList, isExactObject } from '../../json/exactValue';
import type { JsonNode, JsonObject } from '../../json/node';
import type { GraphNode } from '../graph/graphNode';
import { type LiveLevel, type LiveNode, levelsBelow } from '../graph/liveNode';
import { extraWidget, storedAndSent, type Widget } from '../graph/widget';
import type { NodePack, PackNode, PackValues } from './nodePack';

function savedValues({ widgetsValues }: GraphNode): readonly JsonNode[] {
  if (widgetsValues?.kind === 'array') return widgetsValues.items;
  if (widgetsValues?.kind !== 'object') return [];
  return mapDefined(widgetsValues.properties, ({ value }) => value);
}

/** A LoRA of the Power Lora Loader: `{on, lora, strength, strengthTwo}`. */
function readLoras(node: GraphNode): PackValues {
  const rows = savedValues(node).filter((each) => each.kind === 'object' && each.property('lora'));
  return new Map(rows.map((place, index) => [`lora_${index + 1}`, { value: exactValue(place), place }]));
}

/** The second strength counts only where the node shows it. */
function sentLora(_name: string, value: ExactValue, { source }: LiveNode): ExactValue {
  if (!isExactObject(value)) return value;
  const row = new Map(value);
  const shown = source.properties?.get('Show Strengths');
  if (shown?.kind !== 'string' || shown.value !== 'Separate Model & Clip') row.delete('strengthTwo');
  else row.set('strengthTwo', row.get('strengthTwo') ?? 1n);
  return row;
}

function typedValue({ name }: Widget, value: ExactValue, { widgetsValues }: GraphNode): ExactValue {
  if (name === 'type') return value === 'BOOL' ? 'BOOLEAN' : value;
  const [first] = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  switch (first?.kind === 'string' ? first.value : 'STRING') {
    case 'INT':
    case 'FLOAT': {
      if (typeof value === 'bigint' || typeof value === 'number') return value;
      const number = Number(value);
      return Number.isNaN(number) ? 0n : number;
    }
    case 'BOOL':
    case 'BOOLEAN':
      if (typeof value !== 'string') return Boolean(value);
      return !['false', 'null', 'none', '', '0'].includes(value.toLowerCase());
    default:
      return value;
  }
}

/** The outputs of a Power Puter: `{outputs: [type, …]}`, or one type in older files. */
function puterOutputs({ name }: Widget, value: ExactValue): ExactValue {
  if (name !== 'outputs') return value;
  const outputs = isExactObject(value) ? value.get('outputs') : [value];
  const types = isExactList(outputs) ? outputs : [];
  return new Map([['outputs', types.map((type) => (type === 'BOOL' ? 'BOOLEAN' : type))]]);
}

/** Values of a Seed that the page replaces when it queues a prompt: random, one more or one less than the last seed. */
export const specialSeeds: ReadonlyMap<number, 'random' | 'increment' | 'decrement'> = new Map([
  [-1, 'random'],
  [-2, 'increment'],
  [-3, 'decrement'],
]);

export const seedType = 'Seed (rgthree)';

const farthestSeed = 2n ** 50n;

/** Between which limits a Seed draws a random seed: its own, or from 0. */
export function seedLimits(properties: JsonObject | undefined): {
  readonly min: bigint;
  readonly max: bigint;
} {
  const limit = (name: string, standard: bigint): bigint => {
    const value = properties?.get(name);
    const number = value?.kind === 'number' && Number.isFinite(value.value) ? value.value : undefined;
    const whole = number === undefined || number === 0 ? standard : BigInt(Math.trunc(number));
    return whole > farthestSeed ? farthestSeed : whole < -farthestSeed ? -farthestSeed : whole;
  };
  const [min, max] = [limit('randomMin', 0n), limit('randomMax', farthestSeed)];
  return min <= max ? { min, max } : { min: max, max: min };
}

const randomUnmuter = 'Random Unmuter (rgthree)';

/** If all nodes that lead to a Random Unmuter are muted, the page unmutes one of them per run, with everything in it. */
export function unmuteAtRandom(level: LiveLevel, random: () => number): LiveNode[] {
  const unmuted = new Set<LiveNode>();
  for (const unmuter of level.nodes) {
    if (unmuter.type !== randomUnmuter) continue;
    const leading = [...originsOf(unmuter, level)];
    if (leading.length === 0 || leading.some(({ mode }) => mode !== 'muted')) continue;
    const chosen = leading[Math.floor(random() * leading.length)];
    if (!chosen) continue;
    unmuted.add(chosen);
    const inside = chosen.inside ? levelsBelow(chosen.inside) : [];
    for (const node of inside.flatMap(({ nodes }) => nodes)) unmuted.add(node);
  }
  for (const node of unmuted) node.mode = 'always';
  return [...unmuted];
}

function originsOf(node: LiveNode, { links, byId }: LiveLevel): ReadonlySet<LiveNode> {
  const found = new Set<LiveNode>();
  const passed = new Set([node]);
  for (const { inputs } of passed) {
    for (const { link } of inputs) {
      const row = link === undefined ? undefined : links.get(link);
      const origin = row && byId.get(row.originId);
      const isPassed = origin && /Reroute|Node Co(?:llector|mbiner)/.test(origin.type);
      if (origin) (isPassed ? passed : found).add(origin);
    }
  }
  return found;
}

/** The text that was shown last, which is sent as an empty text. */
const display: PackNode = { added: [extraWidget('output', '', storedAndSent)], sentValue: () => '' };

export const rgthree: NodePack = {
  roles: {
    'Reroute (rgthree)': 'passing',
    'Bookmark (rgthree)': 'silent',
    'Label (rgthree)': 'silent',
    'Fast Actions Button (rgthree)': 'silent',
    'Fast Bypasser (rgthree)': 'silent',
    'Fast Groups Bypasser (rgthree)': 'silent',
    'Fast Groups Muter (rgthree)': 'silent',
    'Fast Muter (rgthree)': 'silent',
    'Mute / Bypass Relay (rgthree)': 'silent',
    'Mute / Bypass Repeater (rgthree)': 'silent',
    'Node Collector (rgthree)': 'silent',
    [randomUnmuter]: 'silent',
  },
  nodes: {
    'Display Any (rgthree)': display,
    'Display Int (rgthree)': display,
    'Power Lora Loader (rgthree)': {
      row: (number) => extraWidget(`lora_${number}`, undefined, storedAndSent),
      readValues: readLoras,
      sentValue: sentLora,
    },
    'Power Primitive (rgthree)': {
      added: [extraWidget('type', 'STRING', storedAndSent), extraWidget('value', '', storedAndSent)],
      loadedValue: typedValue,
    },
    'Power Puter (rgthree)': {
      added: [
        extraWidget('outputs', new Map([['outputs', ['STRING']]]), storedAndSent),
        extraWidget('code', '', storedAndSent),
      ],
      loadedValue: puterOutputs,
    },
    [seedType]: { replaced: { control_after_generate: null } },
  },
};
