import { describe, expect, it } from 'vitest';

import { sentByNodes, sentInputs } from '../../../support/sentInputs';

const axis = { Xi: ['INT', {}], Xf: ['FLOAT', {}], isfloatX: ['INT', {}] };

describe('a slider', () => {
  function slide(properties: object): unknown {
    return sentInputs({ required: axis }, { type: 'mxSlider', properties, widgets_values: [1, 1, 1] });
  }

  it('sends what its properties say', () => {
    expect(slide({ value: 30, decimals: 0 })).toEqual({ Xi: 30, Xf: 30, isfloatX: 0 });
    expect(slide({ value: 0.375, decimals: 2 })).toEqual({ Xi: 0, Xf: 0.38, isfloatX: 1 });
  });

  it('has values without properties, and its least one for what is no number', () => {
    expect(slide({})).toEqual({ Xi: 20, Xf: 20, isfloatX: 0 });
    expect(slide({ value: 'x', min: 5 })).toEqual({ Xi: 5, Xf: 5, isfloatX: 0 });
    expect(slide({ value: 'x', min: 'x' })).toEqual({ Xi: null, Xf: null, isfloatX: 0 });
  });
});

it('a slider of two axes has properties for both', () => {
  const both = { ...axis, Yi: ['INT', {}], Yf: ['FLOAT', {}], isfloatY: ['INT', {}] };
  const node = { type: 'mxSlider2D', properties: { valueX: 640, valueY: 1.5, decimalsY: 1 } };
  expect(sentInputs({ required: both }, node)).toEqual({
    Xi: 640,
    Xf: 640,
    isfloatX: 0,
    Yi: 1,
    Yf: 1.5,
    isfloatY: 1,
  });
});

it('a seed keeps its saved value', () => {
  const node = { type: 'mxSeed', properties: { seed: 1 }, widgets_values: [7] };
  expect(sentInputs({ required: { X: ['INT', {}] } }, node)).toEqual({ X: 7 });
});

it('a reroute passes on what it gets', () => {
  const nodes = [
    { type: 'Make' },
    { type: 'mxReroute', inputs: [{ name: '', link: 1 }], outputs: [{ links: [2] }] },
    { type: 'Take', inputs: [{ name: 'it', type: 'THING', link: 2 }] },
  ];
  const links = [
    [1, 1, 0, 2, 0, '*'],
    [2, 2, 0, 3, 0, '*'],
  ];
  const sent = sentByNodes({ Make: {}, Take: { required: { it: ['THING'] } } }, nodes, links);
  expect(sent['3']).toEqual({ it: ['1', 0] });
});
