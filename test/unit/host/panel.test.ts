import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { Uri, type WebviewPanel } from 'vscode';
import { Secrets } from '../../../src/core/safety/secrets';
import { Panel } from '../../../src/host/platform/panel';
import { hideWhereShown } from '../../../src/host/platform/shownSecrets';

type Asked = { readonly type: 'ready' } | { readonly type: 'act'; readonly row: number };
const messages: z.ZodType<Asked> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), row: z.int() }),
]);

function fakePanel() {
  const listeners: ((raw: unknown) => void)[] = [];
  const ends: (() => void)[] = [];
  const webview = {
    options: {},
    html: '',
    cspSource: 'own:',
    posted: [] as unknown[],
    onDidReceiveMessage: (listener: (raw: unknown) => void) => {
      listeners.push(listener);
      return { dispose: () => listeners.splice(0) };
    },
    postMessage: (message: unknown) => webview.posted.push(message),
    asWebviewUri: (uri: unknown) => uri,
  };
  const panel = { webview, onDidDispose: (end: () => void) => ends.push(end) };
  return {
    webview,
    panel: panel as unknown as WebviewPanel,
    say: (raw: unknown) => listeners.forEach((each) => each(raw)),
    close: () => ends.forEach((each) => each()),
  };
}

class TestPanel extends Panel<Asked, { readonly text: string }> {
  readonly received: Asked[] = [];
  readonly errors: unknown[];
  readonly ended = vi.fn();

  constructor(panel: WebviewPanel, errors: unknown[] = []) {
    super(
      panel,
      {
        extensionUri: Uri.file('/extension'),
        onError: (error) => errors.push(error),
      },
      { title: 'Test', name: 'test', allows: {}, messages, folders: [Uri.file('/a')] },
    );
    this.errors = errors;
    this.own({ dispose: this.ended });
  }

  protected override receive(message: Asked): void {
    if (message.type === 'act' && message.row < 0) throw new Error('no such row');
    this.received.push(message);
  }

  show(text: string): void {
    this.post({ text });
  }

  use(folder: string): void {
    this.allow([Uri.file(folder)]);
  }
}

describe('a panel', () => {
  beforeEach(() => {
    const secrets = new Secrets();
    secrets.add('key-1');
    hideWhereShown(secrets);
  });
  afterEach(() => hideWhereShown(new Secrets()));

  it('passes on only what the contract names', () => {
    const fake = fakePanel();
    const panel = new TestPanel(fake.panel);
    for (const raw of [{ type: 'act', row: 1, more: 2 }, { type: 'act' }, { type: 'quit' }, null])
      fake.say(raw);
    expect(panel.received).toEqual([{ type: 'act', row: 1 }]);
  });

  it('sends nothing until the page has spoken, never a secret, and nothing once closed', () => {
    const fake = fakePanel();
    const panel = new TestPanel(fake.panel);
    panel.show('early');
    fake.say({ type: 'ready' });
    panel.show('with key-1');
    fake.close();
    panel.show('late');
    expect(fake.webview.posted).toEqual([{ text: 'with [hidden]' }]);
    expect(panel.ended).toHaveBeenCalledOnce();
    fake.say({ type: 'act', row: 1 });
    expect(panel.received).toEqual([{ type: 'ready' }]);
  });

  it('waits for the page again when a new folder reloads it', () => {
    const fake = fakePanel();
    const panel = new TestPanel(fake.panel);
    fake.say({ type: 'ready' });
    panel.use('/a');
    panel.show('one');
    panel.use('/b');
    panel.show('lost');
    expect(fake.webview.posted).toEqual([{ text: 'one' }]);
    expect(fake.webview.options).toMatchObject({
      enableScripts: true,
      localResourceRoots: [expect.anything(), Uri.file('/b')],
    });
  });

  it('reports what failed', async () => {
    const fake = fakePanel();
    const panel = new TestPanel(fake.panel);
    fake.say({ type: 'act', row: -1 });
    await vi.waitFor(() => expect(panel.errors).toEqual([new Error('no such row')]), 20_000);
  });
});
