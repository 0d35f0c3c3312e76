import { describe, expect, it } from 'vitest';
import { dragData } from '../../../../src/webview/gallery/drag';

describe('a drag out of the gallery', () => {
  it('has the addresses in the forms that VS Code reads', () => {
    const addresses = ['file:///flow/a.png', 'file:///flow/b.png'];
    expect(dragData(addresses)).toEqual({
      ResourceURLs: '["file:///flow/a.png","file:///flow/b.png"]',
      'application/vnd.code.uri-list': 'file:///flow/a.png\r\nfile:///flow/b.png',
    });
  });
});
