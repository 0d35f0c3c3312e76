import { describe, expect, it } from 'vitest';

import { sentInputs } from '../../../support/sentInputs';

const meta = { version: 1, textWidgetName: 'text' };
const loader = { required: { model: ['MODEL'], text: ['AUTOCOMPLETE_TEXT_LORAS', {}] } };
const type = 'Lora Loader (LoraManager)';

function row(name: string, more: object = {}): object {
  return { name, strength: 1, active: true, clipStrength: 1, expanded: false, locked: false, ...more };
}

function sentLoras(text: string, rows: object[]): unknown {
  const sent = sentInputs(loader, { type, widgets_values: [meta, text, rows] });
  return (sent.loras as { __value__: unknown }).__value__;
}

describe('values of a loader', () => {
  const expected = { __lm_autocomplete_meta_text: meta, text: '<lora:a:1>' };

  it.each([
    ['in order', { widgets_values: [meta, '<lora:a:1>', [row('a')]] }],
    ['of before the texts had completion', { widgets_values: ['<lora:a:1>', [row('a')]] }],
    [
      'by the names in the properties',
      { widgets_values: [[row('a')], '<lora:a:1>'], properties: { __lm_widget_ids: ['loras', 'text'] } },
    ],
  ])('are read %s', (_how, node) => {
    expect(sentInputs(loader, { type, ...node })).toEqual({ ...expected, loras: { __value__: [row('a')] } });
  });

  it('has one list of LoRAs where the definition has it', () => {
    const input = { required: { text: ['AUTOCOMPLETE_TEXT_LORAS', {}], loras: ['LORAS', {}] } };
    const sent = sentInputs(input, { type, widgets_values: [meta, '<lora:a:1>', [row('a')]] });
    expect(sent).toEqual({ ...expected, loras: { __value__: [row('a')] } });
  });
});

describe('the rows of LoRAs', () => {
  it('are those of the text, with the strengths of the file', () => {
    const kept = row('a', { strength: 0.25, active: false, clipStrength: 0.25 });
    expect(sentLoras('<lora:a:1>', [kept, row('gone')])).toEqual([kept]);
  });

  it('end with those that only the text has', () => {
    expect(sentLoras('<lora:b:0.5> and <lora:c:1:0.5>', [])).toEqual([
      row('b', { strength: 0.5, clipStrength: 0.5 }),
      row('c', { clipStrength: 0.5, expanded: true }),
    ]);
  });

  it('get what older files lack, and the last of equal names counts', () => {
    const rows = [row('a'), { name: 'a', strength: 0.5, active: true }];
    expect(sentLoras('<lora:a:1>', rows)).toEqual([row('a', { strength: 0.5, clipStrength: 0.5 })]);
  });
});

it('trigger words are sent with their strengths', () => {
  const toggle = { required: { group_mode: ['BOOLEAN', {}] } };
  const words = [
    { text: 'cat', active: true, strength: 1.2, highlighted: true },
    { text: 'dog', active: false },
  ];
  const node = { type: 'TriggerWord Toggle (LoraManager)', widgets_values: [true, words, 'cat, dog'] };
  expect(sentInputs(toggle, node)).toEqual({
    group_mode: true,
    toggle_trigger_words: {
      __value__: [
        { text: '(cat:1.20)', active: true, strength: 1.2, highlighted: false },
        { text: 'dog', active: false, highlighted: false },
      ],
    },
    orinalMessage: 'cat, dog',
  });
});
