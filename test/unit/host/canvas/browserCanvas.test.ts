import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { commands, EndOfLine, type TextDocument, Uri, workspace } from 'vscode';
import type { WebSocket } from 'ws';
import { BrowserCanvas } from '../../../../src/host/canvas/browserCanvas';
import type { CanvasServers } from '../../../../src/host/canvas/canvasServers';
import type { Platform } from '../../../../src/host/platform/platform';
import type { Runs } from '../../../../src/host/runs/runs';
import { told } from '../../../support/inMemoryVscode';
import type { ToComfyPage } from '../../../../src/webview/contract/canvasPanel';

const text = '{"nodes":[{"id":1,"type":"Gone","pos":[0,0],"title":"a"}],"links":[],"version":0.4}';
const uri = Uri.file('/fox.json');

const document = {
  ...{ uri, getText: () => text, version: 1, languageId: 'json', eol: EndOfLine.LF, isDirty: false },
} as TextDocument;

function canvasOf(servers: Partial<CanvasServers> = {}): BrowserCanvas {
  const ended = (): void => canvas.dispose();
  const platform = { onError: vi.fn() } as unknown as Platform;
  const canvas = new BrowserCanvas(document, platform, servers as CanvasServers, {} as Runs, ended);
  return canvas;
}

describe('a canvas in the browser', () => {
  it('says once that an edit was undone', async () => {
    const canvas = canvasOf();
    const sent: ToComfyPage[] = [];
    const page = Object.assign(new EventEmitter(), {
      send: (message: string) => void sent.push(JSON.parse(message) as ToComfyPage),
      close: () => undefined,
    });
    const say = (message: object): void => void page.emit('message', Buffer.from(JSON.stringify(message)));
    const load = (number: number): void => {
      canvas.read();
      say({ type: 'loaded', load: number, state: text, unknownTypes: ['Gone'] });
    };
    canvas.connect(page as unknown as WebSocket);
    say({ type: 'hello', load: 0 });
    load(1);
    say({ type: 'state', load: 1, state: text.replace('"a"', '"b"'), by: 'user' });
    await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ type: 'load', load: 2 }));
    load(2);
    expect(sent.filter(({ type }) => type === 'say')).toHaveLength(1);
    page.emit('close');
    canvas.dispose();
  });

  it('ends when VS Code has closed its file, which is gone', async () => {
    const closing = vi.spyOn(workspace, 'onDidCloseTextDocument');
    const canvas = canvasOf();
    const page = Object.assign(new EventEmitter(), { send: () => undefined, close: vi.fn() });
    canvas.connect(page as unknown as WebSocket);
    vi.spyOn(workspace, 'openTextDocument').mockRejectedValueOnce(new Error('There is no fox.json.'));
    for (const [closed] of closing.mock.calls) closed(document);
    await vi.waitFor(() => expect(page.close).toHaveBeenCalled());
    canvas.dispose();
  });

  it('begins anew when it is tried again: it has ended', async () => {
    const canvas = canvasOf({ open: () => Promise.reject(new Error('The server is away.')) });
    await canvas.show();
    const begun = vi.spyOn(commands, 'executeCommand');
    await canvas.act('load');
    expect(begun).toHaveBeenCalledWith('comfyDeck.openInComfyUI', uri);
    begun.mockRestore();
    told.length = 0;
  });
});
