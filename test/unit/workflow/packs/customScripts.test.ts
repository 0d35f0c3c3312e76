import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import { isSentByEditor } from '../../../../src/core/workflow/graph/extraWidgets';
import { sentByNodes, sentInputs } from '../../../support/sentInputs';

const shown = { required: { text: ['STRING', { forceInput: true }] } };

function texts(widgets_values: unknown): unknown[] {
  return Object.entries(sentInputs(shown, { type: 'ShowText|pysssss', widgets_values }));
}

describe('ShowText', () => {
  it('sends each text that it showed last', () => {
    expect(texts(['a', 'b'])).toEqual([
      ['text_0', 'a'],
      ['text_1', 'b'],
    ]);
  });

  it('leaves out the place of its own input, which is empty', () => {
    expect(texts(['', 'a'])).toEqual([['text_0', 'a']]);
    expect(texts([null, ['a', 'b']])).toEqual([
      ['text_0', 'a'],
      ['text_1', 'b'],
    ]);
  });

  it('makes texts of numbers', () => {
    expect(texts([[7, 0.5]])).toEqual([
      ['text_0', '7'],
      ['text_1', '0.5'],
    ]);
  });

  it('has inputs that only the editor sends, which are not taken for mistakes', () => {
    const definition = Catalog.fromDefinitions({ 'ShowText|pysssss': { input: shown } }).get(
      'ShowText|pysssss',
    );
    const isSent = (name: string): boolean | undefined => definition && isSentByEditor(definition, name);
    expect([isSent('text_0'), isSent('text_12'), isSent('text_x')]).toEqual([true, true, false]);
  });

  it('sends nothing before it ran', () => {
    expect(texts(undefined)).toEqual([]);
  });
});

describe('the loaders with examples', () => {
  const loader = {
    required: { ckpt_name: [['a.safetensors', 'b.safetensors']] },
    optional: { prompt: ['STRING', {}] },
  };

  function load(widgets_values: unknown[]): unknown {
    return sentInputs(loader, { type: 'CheckpointLoader|pysssss', widgets_values });
  }

  it('send the name of an option that was an object', () => {
    const option = { content: 'b.safetensors', image: null, title: 'B' };
    expect(load([option, '', '[none]'])).toEqual({
      ckpt_name: 'b.safetensors',
      prompt: '',
      example: '[none]',
    });
  });

  it('send the text of a chosen example', () => {
    expect(load(['a.safetensors', 'old', 'one.txt', 'a cat'])).toMatchObject({
      prompt: 'a cat',
      example: 'one.txt',
    });
  });
});

it('a preset is only in the editor', () => {
  const preset = { type: 'PresetText|pysssss', widgets_values: ['default negative'], outputs: [{}] };
  expect(sentByNodes({}, [preset])).toEqual({});
});
