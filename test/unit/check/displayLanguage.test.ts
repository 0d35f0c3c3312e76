import { afterEach, describe, expect, it } from 'vitest';

import { useTranslations } from '../../../src/core/safety/localize';
import { the, workflow } from './checkTexts';

afterEach(() => useTranslations('en', {}));

describe('findings in another display language', () => {
  it("are complete sentences with values in that language's order", () => {
    useTranslations('zh-cn', {
      '{0}: {1} is not one of the options: {2}.': '{0}：{1} 不是可用选项之一：{2}。',
      '{0} or {1}': '{0} 或 {1}',
      '{0} Did you mean {1}?': '{0}您指的是 {1} 吗？',
    });
    expect(the('option-unknown', workflow({ scheduler: 'norml' })).message).toBe(
      'scheduler："norml" 不是可用选项之一："normal" 或 "simple"。您指的是 "normal" 吗？',
    );
  });

  it('name the server even if it has no name', () => {
    useTranslations('zh-cn', {
      'the server': '服务器',
      '{0} is an integer, so {1} truncates {2} to {3}.': '{0} 是整数：{1}会将 {2} 截断为 {3}。',
    });
    expect(the('fraction-cut', workflow({ steps: 20.5 })).message).toBe(
      'steps 是整数：服务器会将 20.5 截断为 20。',
    );
  });
});
