import { describe, expect, it } from 'vitest';
import { cutTo, wrappedLines, paddedTo, terminalWidth } from '../../../src/cli/textWidth';

describe('columns of a terminal', () => {
  it('are two for a Chinese character and its punctuation', () => {
    expect(terminalWidth('run 运行。')).toBe(10);
    expect(paddedTo('运行', 6)).toBe('运行  ');
  });

  it.each([
    ['an emoji', '😀', 2],
    ['an emoji of several', '👩‍👩‍👧', 2],
    ['a flag', '🇩🇪', 2],
    ['a letter with a combining mark', 'e\u0301', 1],
    ['Korean', '한국', 4],
    ['Japanese', 'テスト', 6],
    ['a character of the second plane', '𠮷', 2],
  ])('count %s as it is shown', (_what, text, columns) => {
    expect(terminalWidth(text)).toBe(columns);
    expect(terminalWidth(paddedTo(text, 8))).toBe(8);
    expect(cutTo(`${text}!`, columns)).toBe(text);
    expect(cutTo(text, columns - 1)).not.toContain(text);
  });

  it('are never exceeded by cut text', () => {
    expect(cutTo('运行工作流', 5)).toBe('运行');
    expect(cutTo('run', 5)).toBe('run');
  });

  it('break between words', () => {
    expect(wrappedLines('save the outputs of a job', 10)).toEqual(['save the', 'outputs of', 'a job']);
  });
});
