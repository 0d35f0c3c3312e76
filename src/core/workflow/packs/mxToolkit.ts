import type { GraphNode } from '../graph/graphNode';
import { sentNumber } from '../graph/widget';
import type { NodePack, PackNode, PackValue, PackValues } from './nodePack';

/** The value that a slider of the properties sends: as a whole number, as it is, and which of the two counts. */
function readSlider(
  { properties }: GraphNode,
  axis: 'X' | 'Y',
  suffix: string,
  standard: number,
): [string, PackValue][] {
  const [valueName, decimalsName] = [`value${suffix}`, `decimals${suffix}`];
  const numberOf = (name: string, missing: number): number => {
    const property = properties?.get(name);
    if (!property) return missing;
    return property.kind === 'number' ? property.value : Number.NaN;
  };
  const digits = Math.min(4, Math.max(0, Math.floor(numberOf(decimalsName, 0)) || 0));
  const given = numberOf(valueName, standard);
  const value = Number((Number.isNaN(given) ? numberOf('min', 0) : given).toFixed(digits));
  const place = properties?.get(valueName);
  return [
    [`${axis}i`, { value: sentNumber(Math.floor(value)), place }],
    [`${axis}f`, { value: sentNumber(value), place }],
    [`isfloat${axis}`, { value: digits > 0 ? 1n : 0n, place: properties?.get(decimalsName) }],
  ];
}

const slider: PackNode = {
  readValues: (node): PackValues => new Map(readSlider(node, 'X', '', 20)),
};

const slider2D: PackNode = {
  readValues: (node): PackValues =>
    new Map([...readSlider(node, 'X', 'X', 512), ...readSlider(node, 'Y', 'Y', 512)]),
};

export const mxToolkit: NodePack = {
  roles: { mxReroute: 'passing' },
  nodes: { mxSlider: slider, mxSlider2D: slider2D },
};
