import { expect, it } from 'vitest';

import { sentInputs } from '../../../support/sentInputs';

const lora = 'Select the LoRA to add to the text';

it.each([
  ['WildcardEncode //Inspire', 'mode'],
  ['MakeBasicPipe //Inspire', 'wildcard_mode'],
])('%s reads its mode and sends the first line of its picker', (type, mode) => {
  const input = {
    required: { [mode]: [['populate', 'fixed']], 'Select to add LoRA': [[lora, 'a.safetensors']] },
  };
  expect(sentInputs(input, { type, widgets_values: [false, 'a.safetensors'] })).toEqual({
    [mode]: 'fixed',
    'Select to add LoRA': lora,
  });
});

it('the list of presets sends its first line', () => {
  const input = { required: { preset: [['#PRESET', 'quality']], text: ['STRING', {}] } };
  const node = { type: 'PromptBuilder //Inspire', widgets_values: ['quality', 'masterpiece'] };
  expect(sentInputs(input, node)).toEqual({ preset: '#PRESET', text: 'masterpiece' });
});

it.each([
  ['SeedExplorer //Inspire', ['Add to prompt']],
  ['RegionalSeedExplorerMask //Inspire', ['Add to prompt']],
  ['RegionalSeedExplorerColorMask //Inspire', ['Add to prompt']],
  ['ShowCachedInfo //Inspire', ['Remove Key', 'Save Settings', 'Refresh', 'Clear']],
])('%s sends its buttons', (type, buttons) => {
  const sent = sentInputs({ required: { key: ['STRING', {}] } }, { type, widgets_values: ['k', null] });
  expect(sent).toEqual({ key: 'k', ...Object.fromEntries(buttons.map((each) => [each, null])) });
});

it('a multiplier follows for each further conditioning', () => {
  const input = { required: { multiplier1: ['FLOAT', { default: 1 }] } };
  const node = { type: 'ConcatConditioningsWithMultiplier //Inspire', widgets_values: [0.5, 2, 0.25] };
  expect(sentInputs(input, node)).toEqual({ multiplier1: 0.5, multiplier2: 2, multiplier3: 0.25 });
});
