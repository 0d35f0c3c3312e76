import { exactValue } from '../../json/exactValue';
import type { GraphNode } from '../graph/graphNode';
import { extraWidget, storedAndSent } from '../graph/widget';
import { pickers, wildcardMode } from './impact';
import type { NodePack, PackNode, PackValues } from './nodePack';

const populated: PackNode = { always: pickers, loadedValue: wildcardMode };

/** The page stores and sends its buttons like values. */
const explorer: PackNode = { added: [extraWidget('Add to prompt', null, storedAndSent)] };
const buttons = ['Remove Key', 'Save Settings', 'Refresh', 'Clear'];

function readMultipliers({ widgetsValues }: GraphNode): PackValues {
  const items = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  return new Map(
    items.map((place, index) => [`multiplier${index + 1}`, { value: exactValue(place), place }]),
  );
}

export const inspirePack: NodePack = {
  nodes: {
    'ConcatConditioningsWithMultiplier //Inspire': {
      row: (number) => extraWidget(`multiplier${number + 1}`, 1n, storedAndSent),
      readValues: readMultipliers,
    },
    'MakeBasicPipe //Inspire': populated,
    'PromptBuilder //Inspire': { always: { preset: '#PRESET' } },
    'RegionalSeedExplorerColorMask //Inspire': explorer,
    'RegionalSeedExplorerMask //Inspire': explorer,
    'SeedExplorer //Inspire': explorer,
    'ShowCachedInfo //Inspire': { added: buttons.map((each) => extraWidget(each, null, storedAndSent)) },
    'WildcardEncode //Inspire': populated,
  },
};
