import { describe, expect, it } from 'vitest';

import { sentInputs } from '../../../support/sentInputs';

const lora = 'Select the LoRA to add to the text';
const wildcard = 'Select the Wildcard to add to the text';
const pickers = { 'Select to add LoRA': [[lora, 'a.safetensors']], 'Select to add Wildcard': [[wildcard]] };

it('a picker sends its first line whatever was picked', () => {
  const sent = sentInputs(
    { required: { wildcard: ['STRING', {}], ...pickers } },
    { type: 'ToDetailerPipe', widgets_values: ['a face', 'a.safetensors', '__hair__'] },
  );
  expect(sent).toEqual({
    wildcard: 'a face',
    'Select to add LoRA': lora,
    'Select to add Wildcard': wildcard,
  });
});

describe('the mode of wildcards', () => {
  function mode(type: unknown, value: unknown): unknown {
    const encode = { required: { mode: [type], ...pickers } };
    return sentInputs(encode, { type: 'ImpactWildcardEncode', widgets_values: [value, lora] }).mode;
  }

  it('is a text where the server has a list', () => {
    const modes = ['populate', 'fixed', 'reproduce'];
    expect(mode(modes, true)).toBe('populate');
    expect(mode(modes, false)).toBe('fixed');
    expect(mode(modes, 'reproduce')).toBe('reproduce');
  });

  it('stays a boolean where the server has one', () => {
    expect(mode('BOOLEAN', false)).toBe(false);
  });
});

it.each(['PreviewBridge', 'PreviewBridgeLatent'])('%s names its own image', (type) => {
  const bridge = { required: { image: ['STRING', { default: '' }], block: ['BOOLEAN', {}] } };
  const node = { type, widgets_values: ['$14-3', true] };
  expect(sentInputs(bridge, node)).toEqual({ image: '$1-0', block: true });
  const file = { filename: 'mask.png', type: 'input' };
  expect(sentInputs(bridge, { type, widgets_values: [file] })).toMatchObject({ image: '$1-0' });
});

describe('ImageReceiver', () => {
  const receiver = {
    required: {
      link_id: ['INT', {}],
      save_to_workflow: ['BOOLEAN', {}],
      image_data: ['STRING', { multiline: true }],
    },
  };

  it.each([
    ['the data of a saved image', true, 'iVBOR', 'iVBOR'],
    ['no data that should not be saved', false, 'iVBOR', ''],
    ['no placeholder', true, '[IMAGE DATA]', ''],
  ])('sends %s', (_what, save, data, expected) => {
    const sent = sentInputs(receiver, { type: 'ImageReceiver', widgets_values: [0, save, data] });
    expect(sent.image_data).toBe(expected);
  });
});

it.each([
  ['ImpactSEGSPicker', { pick: 'image' }],
  ['MaskPainter', { 'Edit mask': null }],
])('%s sends its button', (type, button) => {
  const sent = sentInputs({ required: { picks: ['STRING', {}] } }, { type, widgets_values: ['1'] });
  expect(sent).toEqual({ picks: '1', ...button });
});

it('an input may have the name of what all objects know', () => {
  const node = { type: 'ImpactWildcardEncode', widgets_values: ['a cat'] };
  expect(sentInputs({ required: { constructor: ['STRING', {}] } }, node)).toEqual({ constructor: 'a cat' });
});
