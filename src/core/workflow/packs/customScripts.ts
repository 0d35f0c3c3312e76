import { type ExactValue, exactValue, isExactObject } from '../../json/exactValue';
import type { GraphNode } from '../graph/graphNode';
import { extraWidget, fieldText, storedAndSent, type Widget } from '../graph/widget';
import type { NodePack, PackNode, PackValues } from './nodePack';

function readTexts({ widgetsValues }: GraphNode): PackValues {
  const items = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const shown = items.filter((each, index) => index > 0 || Boolean(exactValue(each)));
  const places = shown.flatMap((each) => (each.kind === 'array' ? each.items : [each]));
  return new Map(
    places.map((place, index) => [`text_${index}`, { value: fieldText(exactValue(place)), place }]),
  );
}

const noExample = '[none]';

/** Older versions had objects as options: `{content, image, title}`. The text of a chosen example is the last value. */
function loadedChoice({ name }: Widget, value: ExactValue, { widgetsValues }: GraphNode): ExactValue {
  if (name !== 'prompt') return isExactObject(value) ? (value.get('content') ?? value) : value;
  const [example, text] = widgetsValues?.kind === 'array' ? widgetsValues.items.slice(-2) : [];
  const isChosen = example?.kind === 'string' && example.value !== noExample;
  const isAfter = example !== undefined && exactValue(example) !== value;
  return isChosen && isAfter && text?.kind === 'string' ? text.value : value;
}

const loader: PackNode = {
  added: [extraWidget('example', noExample, storedAndSent)],
  loadedValue: loadedChoice,
};

export const customScripts: NodePack = {
  roles: { 'PresetText|pysssss': 'silent' },
  nodes: {
    'CheckpointLoader|pysssss': loader,
    'LoraLoader|pysssss': loader,
    'ShowText|pysssss': {
      row: (number) => extraWidget(`text_${number - 1}`, '', storedAndSent),
      readValues: readTexts,
    },
  },
};
