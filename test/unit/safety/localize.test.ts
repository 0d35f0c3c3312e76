import { afterEach, describe, expect, test } from 'vitest';
import {
  listText,
  numberText,
  plural,
  sentencesText,
  t,
  useTranslations,
} from '../../../src/core/safety/localize';
import { shown, shownList } from '../../../src/core/safety/shownText';
import { endSentence } from '../../../src/core/safety/endSentence';

afterEach(() => useTranslations('en', {}));

describe('our own texts', () => {
  test('are English by default', () => {
    expect(t`Node ${4} in ${'a.json'}`).toBe('Node 4 in a.json');
    expect(shown`Run ${'a.json'}`.line()).toBe('Run a.json');
  });

  test('are in the display language, with values in its order', () => {
    useTranslations('zh-cn', { 'Node {0} in {1}': '{1} 中的节点 {0}', 'Run {0}': '运行 {0}' });
    expect(t`Node ${4} in ${'a.json'}`).toBe('a.json 中的节点 4');
    expect(shown`Run ${'a.json'}`.line()).toBe('运行 a.json');
  });

  test('stay English where a translation is missing', () => {
    useTranslations('zh-cn', { 'Run {0}': '运行 {0}' });
    expect(t`Stop ${'a.json'}`).toBe('Stop a.json');
  });

  test('insert values unchanged, even if they look like placeholders', () => {
    useTranslations('zh-cn', { '{0} and {1}': '{1} 和 {0}' });
    expect(t`${'{1}'} and ${'{0}'}`).toBe('{0} 和 {1}');
    expect(shown`${'{1}'} and ${'{0}'}`.line()).toBe('{0} 和 {1}');
  });

  test('have the punctuation of Chinese between values, also without words of their own', () => {
    expect(t`${'a.json'}: ${'no'}`).toBe('a.json: no');
    useTranslations('zh-cn', {});
    expect(t`${'a.json'}: ${'否'}`).toBe('a.json：否');
    expect(t`${'a.json'} (${'已完成'})`).toBe('a.json（已完成）');
    expect(shown`${'a.json'}: ${'不行。'} ${'请重试。'}`.line()).toBe('a.json：不行。请重试。');
  });

  test('have no space between Chinese words and a value that is Chinese too', () => {
    useTranslations('zh-cn', { '{0} at {1}': '{0}，位于 {1} 处', 'node {0}': '节点 {0}' });
    expect(t`${'ValueError'} at ${t`node ${2}`}`).toBe('ValueError，位于节点 2 处');
    expect(shown`${'ValueError'} at ${shown`node ${'二'}`}`.line()).toBe('ValueError，位于节点二处');
    expect(shown`${'a*'} at ${'二'}`.markdown()).toBe('a\\*，位于二处');
    expect(t`${'错误'} at ${'a b.json'}`).toBe('错误，位于 a b.json 处');
    expect(t`${'错误'} at ${'甲 乙'}`).toBe('错误，位于甲 乙处');
    useTranslations('en', {});
    expect(t`${'错误'} at ${'甲'}`).toBe('错误 at 甲');
  });

  test('keep outside text from acting in every language', () => {
    useTranslations('zh-cn', { 'Could not run {0}': '无法运行 {0}' });
    const line = shown`Could not run ${'[now](command:run) $(zap)'}`.line();
    expect(line).toBe('无法运行 [now] (command:run) $ (zap)');
  });

  test('are translated inside each other', () => {
    useTranslations('zh-cn', { '{0} and {1} more': '{0} 以及另外 {1} 个', Nodes: '节点' });
    expect(shown`${shown`Nodes`}: ${shownList(['a', 'b', 'c'], 1)}`.line()).toBe('节点：a 以及另外 2 个');
  });
});

test.each([
  ['en', 'a, b', 'a, b and 1 more'],
  ['zh-cn', 'a，b', 'a，b and 1 more'],
])('lists in %s read %s', (language, all, some) => {
  useTranslations(language, {});
  expect(listText(['a', 'b'])).toBe(all);
  expect(shownList(['a', 'b', 'c'], 2).line()).toBe(some);
});

test.each([
  ['en', 'Gone. Wait.'],
  ['zh-cn', 'Gone.Wait.'],
])('sentences in %s follow each other', (language, all) => {
  useTranslations(language, {});
  expect(sentencesText('Gone.', '', 'Wait.')).toBe(all);
});

describe('plurals and numbers', () => {
  test.each([
    ['en', 1, '1 file'],
    ['en', 2, '2 files'],
    ['en', 0, '0 files'],
    ['zh-cn', 1, '1 files'],
    ['fr', 0, '0 file'],
  ])('in %s %i reads %s', (language, count, expected) => {
    useTranslations(language, {});
    expect(plural(count, `${count} file`, `${count} files`)).toBe(expected);
  });

  test('are written as in the display language', () => {
    useTranslations('de', {});
    expect(numberText(12_345.5)).toBe('12.345,5');
  });
});

test.each([
  ['en', 'value not in list', 'value not in list.'],
  ['en', 'Is it there? ', 'Is it there?'],
  ['zh-cn', 'value not in list', 'value not in list。'],
  ['zh-cn', '服务器拒绝了该工作流。', '服务器拒绝了该工作流。'],
  ['zh-cn', 'It failed.', 'It failed.'],
])('in %s ends %s as %s', (language, text, sentence) => {
  useTranslations(language, {});
  expect(endSentence(text)).toBe(sentence);
});
