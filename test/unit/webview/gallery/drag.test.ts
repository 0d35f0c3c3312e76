import { describe, expect, it } from 'vitest';
import { dragData } from '../../../../src/webview/gallery/drag';

describe('a drag out of the gallery', () => {
  it('has the addresses in the forms that VS Code reads', () => {
    const addresses = ['file:///work/a.png', 'file:///work/b.png'];
    expect(dragData(addresses)).toEqual({
      ResourceURLs: '["file:///work/a.png","file:///work/b.png"]',
      'application/vnd.code.uri-list': 'file:///work/a.png\r\nfile:///work/b.png',
    });
  });
});
