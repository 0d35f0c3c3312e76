import { describe, expect, it } from 'vitest';

import { choosePrompt } from '../../../../src/core/workflow/graph/dynamicPrompt';

const first = (text: string): string => choosePrompt(text, () => 0);
const last = (text: string): string => choosePrompt(text, () => 0.999);

describe('choosePrompt', () => {
  it('picks one option of every group, also of groups inside', () => {
    expect(first('a {b|c} d {e|f}')).toBe('a b d e');
    expect(last('a {b|{c|d}}')).toBe('a d');
  });

  it('takes out comments of both kinds', () => {
    expect(first('a // b\nc /* d\ne */f')).toBe('a \nc f');
  });

  it('leaves escaped signs and other backslashes as they are meant', () => {
    expect(first('\\{a|b\\} \\(c\\)')).toBe('{a|b} \\(c\\)');
  });

  it('takes an open brace to the end of the text', () => {
    expect(last('a {b|c')).toBe('a c');
  });
});
