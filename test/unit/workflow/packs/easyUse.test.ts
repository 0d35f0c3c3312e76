import { describe, expect, it } from 'vitest';

import { sentByNodes, sentInputs } from '../../../support/sentInputs';

function loaded(type: string, input: object, value: unknown): unknown {
  const [name = ''] = Object.keys(input);
  return sentInputs({ required: input }, { type, widgets_values: value === undefined ? [] : [value] })[name];
}

describe('values of its own widgets are texts', () => {
  it('joins the styles', () => {
    const styles = { select_styles: ['EASY_PROMPT_STYLES', {}] };
    expect(loaded('easy stylesSelector', styles, ['a', 'b'])).toBe('a,b');
    expect(loaded('easy stylesSelector', styles, 'a,b')).toBe('a,b');
  });

  it('joins the numbers of a choice', () => {
    const components = { mask_components: ['EASY_COMBO', {}] };
    expect(loaded('easy humanSegmentation', components, [0, 'x', 13])).toBe('0,13');
  });

  it('writes objects and lists as JSON', () => {
    const angle = { multi_angle: ['EASY_MULTI_ANGLE', {}] };
    expect(loaded('easy multiAngle', angle, [{ rotate: 45, zoom: 1.5 }])).toBe('[{"rotate":45,"zoom":1.5}]');
    expect(loaded('easy multiAngle', angle, undefined)).toBe(
      '[{"rotate":0,"vertical":0,"zoom":5,"add_angle_prompt":true}]',
    );
  });
});

it('the button of a seed keeps its place and is not sent', () => {
  const seed = { required: { seed: ['INT', { control_after_generate: true }] } };
  expect(sentInputs(seed, { type: 'easy seed', widgets_values: [7, 'fixed', null] })).toEqual({ seed: 7 });
});

describe('what a node showed', () => {
  const show = { optional: { anything: ['*', {}] } };

  it('is sent, the last of several', () => {
    const node = { type: 'easy showAnything', widgets_values: ['a', 7] };
    expect(sentInputs(show, node)).toEqual({ text: '7' });
  });

  it('is nothing before a run', () => {
    expect(sentInputs(show, { type: 'easy showAnything' })).toEqual({});
  });
});

it('pickers send their first lines', () => {
  const prompt = { required: { text: ['STRING', {}], prefix: [['p']], nsfw: [['n']] } };
  const node = { type: 'easy prompt', widgets_values: ['a cat', 'p', 'n'] };
  expect(sentInputs(prompt, node)).toEqual({
    text: 'a cat',
    prefix: 'Select the prefix add to the text',
    nsfw: '🔞Select the nsfw add to the text',
  });
});

describe('sliders', () => {
  const sliders = { required: { model_type: [['sdxl', 'sd1']] } };

  it('are read from the properties', () => {
    const node = { type: 'easy sliderControl', widgets_values: ['sdxl', 'old'] };
    expect(sentInputs(sliders, { ...node, properties: { values: ['0:1', '1:0'] } }).values).toBe('0:1,1:0');
    expect(sentInputs(sliders, node).values).toBe('old');
  });

  it('stand where the pack puts them at first', () => {
    expect(sentInputs(sliders, { type: 'easy sliderControl' }).values).toMatch(
      /^0:0,1:0,2:0,3:2\.5,.*6:1,.*11:0$/,
    );
  });
});

it('noise of older files is made on the CPU', () => {
  const noise = { add_noise: [['disable', 'enable (CPU)', 'enable (GPU=A1111)']] };
  expect(loaded('easy preSamplingAdvanced', noise, 'enable')).toBe('enable (CPU)');
  expect(loaded('easy preSamplingAdvanced', { add_noise: [['enable']] }, 'enable')).toBe('enable');
});

it('bookmarks are only in the editor, and getters pass on what was set', () => {
  const nodes = [
    { type: 'Make' },
    { type: 'easy setNode', inputs: [{ name: 'T', link: 1 }], outputs: [{}], widgets_values: ['a'] },
    { type: 'easy getNode', outputs: [{ links: [2] }], widgets_values: ['a'] },
    { type: 'Take', inputs: [{ name: 'it', type: 'THING', link: 2 }] },
    { type: 'easy bookmark', outputs: [{}], widgets_values: ['1', 1] },
  ];
  const links = [
    [1, 1, 0, 2, 0, 'THING'],
    [2, 3, 0, 4, 0, 'THING'],
  ];
  const sent = sentByNodes({ Make: {}, Take: { required: { it: ['THING'] } } }, nodes, links);
  expect(sent).toEqual({ 1: {}, 4: { it: ['1', 0] } });
});
