import { describe, expect, test } from 'vitest';
import { distinctTexts } from '../../../../src/webview/batch/sheetContent';

describe('the texts beside the pictures of a contact sheet', () => {
  test('leave out the words that all of them begin with', () => {
    expect(
      distinctTexts(['a quiet mountain lake, golden light', 'a quiet mountain lake, moonlight']),
    ).toEqual(['…golden light', '…moonlight']);
  });

  test('leave out the words that all of them end with', () => {
    expect(
      distinctTexts(['oil painting of a lighthouse at night', 'pencil drawing of a lighthouse at night']),
    ).toEqual(['oil painting…', 'pencil drawing…']);
  });

  test('keep a word of each, even if one contains the other', () => {
    expect(distinctTexts(['a lighthouse at night', 'a lighthouse at night in the rain'])).toEqual([
      '…night',
      '…night in the rain',
    ]);
  });

  test.each([
    ['short ones', ['cat 1', 'cat 2']],
    ['those without spaces', ['models/sdxl-base-1.0.safetensors', 'models/sdxl-refiner.safetensors']],
    ['a single word among them', ['lighthouse', 'a lighthouse at night, in heavy rain']],
    ['empty ones', ['', 'a lighthouse at night, in heavy rain']],
    ['none at all', []],
    ['a single one', ['a lighthouse at night, in heavy rain']],
  ])('leave %s as they are', (_, texts) => {
    expect(distinctTexts(texts)).toEqual(texts);
  });
});
