import { describe, expect, it } from 'vitest';
import { cutTo, linesOf, paddedTo, widthOf } from '../../../src/cli/textWidth';

describe('columns of a terminal', () => {
  it('are two for a Chinese character and its punctuation', () => {
    expect(widthOf('run 运行。')).toBe(10);
    expect(paddedTo('运行', 6)).toBe('运行  ');
  });

  it('are never exceeded by cut text', () => {
    expect(cutTo('运行工作流', 5)).toBe('运行');
    expect(cutTo('run', 5)).toBe('run');
  });

  it('break between words, and between Chinese characters', () => {
    expect(linesOf('save the outputs of a job', 10)).toEqual(['save the', 'outputs of', 'a job']);
    expect(linesOf('使用 --server 指定服务器。', 10)).toEqual(['使用', '--server', '指定服务', '器。']);
  });
});
