import { describe, expect, it } from 'vitest';

import { sentByNodes, sentInputs } from '../../../support/sentInputs';

const loader = 'Power Lora Loader (rgthree)';
const lora = { on: true, lora: 'a.safetensors', strength: 0.5, strengthTwo: 0.25 };

describe('the rows of a Power Lora Loader', () => {
  const { strengthTwo, ...plain } = lora;

  it.each([
    ['a list', [{}, { type: 'PowerLoraLoaderHeaderWidget' }, lora, { ...lora, on: false }, {}, '']],
    ['an object', { header: {}, lora_3: lora, lora_7: { ...lora, on: false } }],
  ])('are read from %s, in order', (_what, widgets_values) => {
    expect(sentInputs({}, { type: loader, widgets_values })).toEqual({
      lora_1: plain,
      lora_2: { ...plain, on: false },
    });
  });

  it('have a second strength where the node shows it', () => {
    const properties = { 'Show Strengths': 'Separate Model & Clip' };
    const widgets_values = [lora, plain];
    expect(sentInputs({}, { type: loader, properties, widgets_values })).toEqual({
      lora_1: { ...plain, strengthTwo },
      lora_2: { ...plain, strengthTwo: 1 },
    });
  });
});

it.each([
  ['INT', '7', 'INT', 7],
  ['INT', 'x', 'INT', 0],
  ['FLOAT', 2.5, 'FLOAT', 2.5],
  ['BOOL', 'none', 'BOOLEAN', false],
  ['BOOLEAN', 1, 'BOOLEAN', true],
  ['STRING', 'a', 'STRING', 'a'],
])('a Power Primitive of type %s sends %s as its type', (type, value, sentType, sentValue) => {
  const node = { type: 'Power Primitive (rgthree)', widgets_values: [type, value] };
  expect(sentInputs({}, node)).toEqual({ type: sentType, value: sentValue });
});

it.each([
  ['a list', { outputs: ['INT', 'BOOL'] }, ['INT', 'BOOLEAN']],
  ['one type', 'FLOAT', ['FLOAT']],
])('a Power Puter has outputs of %s', (_what, outputs, expected) => {
  const node = { type: 'Power Puter (rgthree)', widgets_values: [outputs, 'a + 1'] };
  expect(sentInputs({}, node)).toEqual({ outputs: { outputs: expected }, code: 'a + 1' });
});

it('what is displayed is sent empty', () => {
  const node = { type: 'Display Any (rgthree)', widgets_values: ['shown before'] };
  expect(sentInputs({ required: { source: ['*', {}] } }, node)).toEqual({ output: '' });
});

it('a Seed has no control', () => {
  const input = { required: { seed: ['INT', { default: 0, min: -9 }] } };
  const node = { type: 'Seed (rgthree)', widgets_values: [-1, '', '', ''] };
  expect(sentInputs(input, node)).toEqual({ seed: -1 });
});

it('a muter is only in the editor', () => {
  const node = { type: 'Fast Muter (rgthree)', inputs: [{}], outputs: [{}], widgets_values: [true] };
  expect(sentByNodes({}, [node])).toEqual({});
});
