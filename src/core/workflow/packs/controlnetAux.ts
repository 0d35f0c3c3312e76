import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { exactValue } from '../../json/exactValue';
import type { GraphNode } from '../graph/graphNode';
import { extraWidget, fieldText, storedAndSent } from '../graph/widget';
import type { NodePack, PackValues } from './nodePack';

/** In one version the user chose from a list after the widget `cn`; the choices are kept in the properties. */
function readChosen(
  { properties, widgetsValues }: GraphNode,
  { inputs }: NodeDefinition,
): PackValues | undefined {
  if (!inputs.some(({ name }) => name === 'cn')) return undefined;
  const items = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const names = [...inputs.map(({ name }) => name), 'select_styles'];
  const places = new Map(names.map((name, index) => [name, items[index]]));
  places.set('select_styles', properties?.get('values') ?? places.get('select_styles'));
  return new Map(
    [...places].flatMap(([name, place]) => {
      if (!place) return [];
      const value = exactValue(place);
      return [[name, { value: name === 'select_styles' ? fieldText(value) : value, place }] as const];
    }),
  );
}

export const controlnetAux: NodePack = {
  nodes: {
    ControlNetPreprocessorSelector: {
      row: (number) => (number === 1 ? extraWidget('select_styles', '', storedAndSent) : undefined),
      readValues: readChosen,
    },
  },
};
