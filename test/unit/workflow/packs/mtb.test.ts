import { describe, expect, it } from 'vitest';

import { sentByNodes, sentInputs } from '../../../support/sentInputs';

describe('a color', () => {
  const input = { required: { bgcolor: ['COLOR', { default: '#000000', widgetType: 'MTB_COLOR' }] } };
  const type = 'Image Remove Background Rembg (mtb)';

  it('is a text', () => {
    expect(sentInputs(input, { type, widgets_values: ['#ff8800'] })).toEqual({ bgcolor: '#ff8800' });
    expect(sentInputs(input, { type })).toEqual({ bgcolor: '#000000' });
  });

  it('is read from options that some versions saved', () => {
    const node = { type, widgets_values: [{ default: '#00ff00' }] };
    expect(sentInputs(input, node)).toEqual({ bgcolor: '#00ff00' });
  });
});

it('a curve is an object', () => {
  const input = { required: { curve: ['FLOAT_CURVE'] } };
  const line = { 0: { x: 0, y: 0 }, 1: { x: 1, y: 1 } };
  expect(sentInputs(input, { type: 'Curve (mtb)' })).toEqual({ curve: line });
  const drawn = { 0: { x: 0, y: 1 }, 1: { x: 1, y: 0.5 } };
  expect(sentInputs(input, { type: 'Curve (mtb)', widgets_values: [drawn] })).toEqual({ curve: drawn });
});

it('the builder sends its buttons, and no preview', () => {
  const input = { required: { total_frames: ['INT', {}] } };
  const values = [12, 'frame: 3 / 12', 'Done', 'reset', 'queue'];
  expect(sentInputs(input, { type: 'Animation Builder (mtb)', widgets_values: values })).toEqual({
    total_frames: 12,
    value_preview: '',
    loop_preview: '',
    Reset: 'reset',
    Queue: 'queue',
    Cancel: 'cancel',
  });
});

describe('a constant', () => {
  it.each([
    ['float', 2.5, 2.5],
    ['int', '7', 7],
    ['string', 'a', 'a'],
    ['vector2', { x: 1, y: 2.5 }, '{"x":1,"y":2.5}'],
  ])('of type %s is read from the properties', (type, value, expected) => {
    const node = { type: 'Constant (mtb)', properties: { type, value }, widgets_values: ['old', 1] };
    expect(sentInputs({ optional: { Value: ['*'] } }, node)).toEqual({ Type: type, Value: expected });
  });
});

it('notes are only in the editor', () => {
  expect(sentByNodes({}, [{ type: 'Note Plus (mtb)', inputs: [{}], widgets_values: ['hello'] }])).toEqual({});
});

it('a constant that is no whole number is null', () => {
  const node = { type: 'Constant (mtb)', properties: { type: 'int', value: 'Infinity' } };
  expect(sentInputs({ required: {} }, node)).toEqual({ Type: 'int', Value: null });
});
