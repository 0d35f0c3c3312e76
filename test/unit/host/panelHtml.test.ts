import { describe, expect, it } from 'vitest';
import { panelHtml, type PanelHtml } from '../../../src/host/platform/panelHtml';

const page: PanelHtml = {
  language: 'en',
  title: 'Preview',
  policy: "default-src 'none'",
  styles: 'https://webview.example.org/preview.css',
  script: 'https://webview.example.org/preview.js',
  nonce: 'n0nce',
  translations: { Run: 'Los' },
  bodyClass: 'preview',
};
const evil = `"'></title><script>alert(1)</script>&`;

describe('the page of a panel', () => {
  it.each(['language', 'title', 'policy', 'styles', 'script', 'nonce', 'bodyClass'] as const)(
    'takes its %s for text',
    (member) => {
      const html = panelHtml({ ...page, [member]: evil });
      expect(html).not.toContain(evil);
      expect(html.match(/<script/g)).toHaveLength(1);
      expect(html).toContain('&#34;&#39;&#62;&#60;/title&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;');
    },
  );

  it('takes its translations for text', () => {
    const html = panelHtml({ ...page, translations: { [evil]: evil } });
    expect(html.match(/<script/g)).toHaveLength(1);
    const [, content = ''] = /name="translations" content="([^"]*)"/.exec(html) ?? [];
    const read = content.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    expect(JSON.parse(read)).toEqual({ [evil]: evil });
  });
});
