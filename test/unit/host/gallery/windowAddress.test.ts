import { describe, expect, it } from 'vitest';
import { startInWindow } from '../../../../src/host/gallery/windowAddress';

describe('the address of an output in the window', () => {
  it.each([
    ['a local window', 'file+', 'file', ''],
    ['a network folder', 'file+nas', 'file', 'nas'],
    ['SSH', 'vscode-remote+ssh-002dremote-002bgpu-002dbox', 'vscode-remote', 'ssh-remote+gpu-box'],
    ['a port', 'vscode-remote+127-002e0-002e0-002e1-003a8080', 'vscode-remote', '127.0.0.1:8080'],
  ])('has the name of its remote: %s', (_, start, scheme, authority) => {
    expect(startInWindow(`${start}.vscode-resource.vscode-cdn.net`)).toEqual({ scheme, authority });
  });

  it.each(['webview.example.com', 'file+.example.com', 'vscode-remote+a-b.vscode-resource.vscode-cdn.net'])(
    'is unknown if the address for webviews has another form: %s',
    (authority) => {
      expect(startInWindow(authority)).toBeUndefined();
    },
  );
});
