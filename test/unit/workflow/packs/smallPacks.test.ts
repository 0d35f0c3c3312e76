import { describe, expect, it } from 'vitest';

import { sentByNodes, sentInputs } from '../../../support/sentInputs';

it('the sizes and warnings of AnimateDiff keep their places and are not sent', () => {
  const input = {
    optional: { warning: ['ADEWARN', {}], size: ['ADEAUTOSIZE', { padding: 0 }], after: ['INT', {}] },
  };
  const node = { type: 'ADE_Any', widgets_values: ['', '', 7] };
  expect(sentInputs(input, node)).toEqual({ after: 7 });
});

describe('Crystools', () => {
  it('does not send what it showed', () => {
    const input = { required: { console: ['BOOLEAN', {}] } };
    const node = { type: 'Show any [Crystools]', widgets_values: [true, 'shown'] };
    expect(sentInputs(input, node)).toEqual({ console: true });
  });

  it('shows metadata only in the editor', () => {
    const node = { type: 'Show Metadata [Crystools]', outputs: [{}], widgets_values: [true] };
    expect(sentByNodes({}, [node])).toEqual({});
  });
});

describe('the selector of preprocessors', () => {
  const type = 'ControlNetPreprocessorSelector';

  it('sends what was chosen in the version that has a list', () => {
    const input = { required: { cn: [['a', 'b']] } };
    const node = { type, widgets_values: ['b', 'old'] };
    expect(sentInputs(input, { ...node, properties: { values: ['canny', 'depth'] } })).toEqual({
      cn: 'b',
      select_styles: 'canny,depth',
    });
    expect(sentInputs(input, node)).toEqual({ cn: 'b', select_styles: 'old' });
  });

  it('has just one widget in others', () => {
    const input = { required: { preprocessor: [['none', 'canny']] } };
    expect(sentInputs(input, { type, widgets_values: ['canny'] })).toEqual({ preprocessor: 'canny' });
  });
});

describe('checkboxes of WAS that were lists of texts', () => {
  function save(name: string, definition: unknown, value: unknown): unknown {
    const node = { type: 'Image Save', widgets_values: [value] };
    return sentInputs({ required: { [name]: definition } }, node)[name];
  }

  it.each([
    ['embed_workflow', 'true', true],
    ['embed_workflow', 'False', false],
    ['overwrite_mode', 'prefix_as_filename', true],
    ['overwrite_mode', 'false', false],
  ])('are booleans: %s %s', (name, value, expected) => {
    expect(save(name, ['BOOLEAN', {}], value)).toBe(expected);
  });

  it('stay texts where the server still has the list', () => {
    expect(save('embed_workflow', [['true', 'false']], 'true')).toBe('true');
  });
});

it('a color of LayerStyle is sent as the file has it', () => {
  const input = { required: { color: ['COLOR', {}], flag: ['BOOL', {}] } };
  const node = { type: 'LayerUtility: Any', widgets_values: ['#ff0000', true] };
  expect(sentInputs(input, node)).toEqual({ color: '#ff0000', flag: true });
});
