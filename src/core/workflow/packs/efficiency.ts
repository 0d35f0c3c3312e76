import type { JsonNode } from '../../json/node';
import { extraWidget, storedNotSent } from '../graph/widget';
import type { NodePack, PackNode } from './nodePack';

const seeded: PackNode = {
  replaced: {
    control_after_generate: extraWidget('🎲 Randomize / ♻️ Last Queued Seed', null, storedNotSent),
  },
};

function isNoNumber(value: JsonNode | undefined): boolean {
  return value?.kind === 'string' && Number.isNaN(Number(value.value));
}

function sampler(seedIndex: number): PackNode {
  return {
    ...seeded,
    reorder: (values, stored) => {
      const isOlder = isNoNumber(values[seedIndex]) && isNoNumber(values[seedIndex + 2]);
      return isOlder ? values.slice(1, stored) : values;
    },
  };
}

function loader(normalization: number): PackNode {
  return {
    reorder: (values) => {
      if (values[normalization]?.kind !== 'number') return values;
      return [...values.slice(0, normalization), undefined, undefined, ...values.slice(normalization)];
    },
  };
}

/** The seeds of which the page replaces -1 by a random one when it sends a prompt: their inputs by node type. */
export const randomIfNegative: ReadonlyMap<string, string> = new Map([
  ['HighRes-Fix Script', 'seed'],
  ['KSampler (Efficient)', 'seed'],
  ['KSampler Adv. (Efficient)', 'noise_seed'],
  ['KSampler SDXL (Eff.)', 'noise_seed'],
  ['Noise Control Script', 'seed'],
  ['Tiled Upscaler Script', 'seed'],
]);

export const efficiencyNodes: NodePack = {
  nodes: {
    'Eff. Loader SDXL': loader(9),
    'Efficient Loader': loader(8),
    'HighRes-Fix Script': seeded,
    'KSampler (Efficient)': sampler(0),
    'KSampler Adv. (Efficient)': sampler(1),
    'KSampler SDXL (Eff.)': sampler(0),
    'Noise Control Script': seeded,
    'Tiled Upscaler Script': seeded,
  },
};
