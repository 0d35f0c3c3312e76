import { type ExactValue, exactFrom, exactValue, isExactObject } from '../../json/exactValue';
import type { GraphNode } from '../graph/graphNode';
import { extraWidget, browserJsonText, storedAndSent, sentNumber, type Widget } from '../graph/widget';
import type { NodePack, PackNode, PackValues } from './nodePack';

/** Some versions stored the options of the color instead. */
function loadedColor({ spec }: Widget, value: ExactValue): ExactValue {
  const isColor = (spec?.widgetType ?? spec?.type) === 'MTB_COLOR';
  return isColor && isExactObject(value) ? (value.get('default') ?? value) : value;
}

const colored: PackNode = { loadedValue: loadedColor };

function readConstant({ properties }: GraphNode): PackValues {
  const [type, value] = [properties?.get('type'), properties?.get('value')];
  if (type?.kind !== 'string' || !value) return new Map();
  return new Map([
    ['Type', { value: type.value, place: type }],
    ['Value', { value: constantOf(type.value, exactValue(value)), place: value }],
  ]);
}

function constantOf(type: string, value: ExactValue): ExactValue {
  if (type.startsWith('vector')) return isExactObject(value) ? browserJsonText(value) : value;
  const number = Number(value);
  if (Number.isNaN(number)) return value;
  if (type === 'int') return sentNumber(Math.trunc(number));
  return type === 'float' || type === 'number' ? number : value;
}

export const mtbNodes: NodePack = {
  widgetTypes: {
    FLOAT_CURVE: { ...storedAndSent, value: exactFrom({ 0: { x: 0, y: 0 }, 1: { x: 1, y: 1 } }) },
    MTB_COLOR: { ...storedAndSent, value: '#ff0000' },
  },
  roles: { 'Note Plus (mtb)': 'silent' },
  nodes: {
    'Animation Builder (mtb)': {
      always: { value_preview: '', loop_preview: '' },
      added: [
        extraWidget('value_preview', '', storedAndSent),
        extraWidget('loop_preview', '', storedAndSent),
        extraWidget('Reset', 'reset', storedAndSent),
        extraWidget('Queue', 'queue', storedAndSent),
        extraWidget('Cancel', 'cancel', storedAndSent),
      ],
    },
    'Color Input (mtb)': colored,
    'Image Remove Background Rembg (mtb)': colored,
    'Constant (mtb)': {
      added: [extraWidget('Type', 'float', storedAndSent), extraWidget('Value', 0n, storedAndSent)],
      readValues: readConstant,
    },
    'Interpolate Clip Sequential (mtb)': {
      added: [extraWidget('+', 'add', storedAndSent), extraWidget('-', 'remove', storedAndSent)],
    },
  },
};
