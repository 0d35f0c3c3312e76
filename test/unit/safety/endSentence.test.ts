import { afterEach, expect, it } from 'vitest';
import { endSentence } from '../../../src/core/safety/endSentence';
import { useTranslations } from '../../../src/core/safety/localize';

afterEach(() => useTranslations('en', {}));

it.each([
  ['en', 'value not in list', 'value not in list.'],
  ['en', 'Is it there? ', 'Is it there?'],
  ['zh-cn', 'value not in list', 'value not in list。'],
  ['zh-cn', '服务器拒绝了该工作流。', '服务器拒绝了该工作流。'],
  ['zh-cn', 'It failed.', 'It failed.'],
])('in %s ends %s as %s', (language, text, sentence) => {
  useTranslations(language, {});
  expect(endSentence(text)).toBe(sentence);
});
