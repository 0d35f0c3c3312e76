import { describe, expect, it } from 'vitest';

import { choosePrompt } from '../../../../src/core/workflow/graph/dynamicPrompt';

const first = (text: string): string => choosePrompt(text, () => 0);
const last = (text: string): string => choosePrompt(text, () => 0.999);

describe('choosePrompt', () => {
  it('picks one option of every group, also of nested groups', () => {
    expect(first('a {b|c} d {e|f}')).toBe('a b d e');
    expect(last('a {b|{c|d}}')).toBe('a d');
  });

  it('removes both kinds of comments', () => {
    expect(first('a // b\nc /* d\ne */f')).toBe('a \nc f');
  });

  it('handles escapes and keeps other backslashes', () => {
    expect(first('\\{a|b\\} \\(c\\)')).toBe('{a|b} \\(c\\)');
  });

  it('extends an unclosed brace to the end of the text', () => {
    expect(last('a {b|c')).toBe('a c');
  });
});
