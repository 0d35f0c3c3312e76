import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Uri, type WebviewPanel } from 'vscode';
import * as z from 'zod';
import { Secrets } from '../../../src/core/safety/secrets';
import { OnePanel } from '../../../src/host/platform/onePanel';
import { Panel } from '../../../src/host/platform/panel';
import { panelHtml, type PanelHtml } from '../../../src/host/platform/panelHtml';
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

/** A panel that counts how often it is shown again. */
function countingPanel(): WebviewPanel & { readonly reveals: number } {
  const listeners: (() => void)[] = [];
  const panel = {
    reveals: 0,
    reveal: () => panel.reveals++,
    onDidDispose: (listener: () => void) => listeners.push(listener),
    dispose: () => listeners.forEach((each) => each()),
  };
  return panel as unknown as WebviewPanel & { readonly reveals: number };
}

it('only one panel opens, however often it is asked for at once', async () => {
  const made: ReturnType<typeof countingPanel>[] = [];
  const only = new OnePanel('kind', (panel) => Promise.resolve(panel));
  const show = (): Promise<unknown> =>
    only.show(() => {
      const panel = countingPanel();
      made.push(panel);
      return panel;
    });
  await Promise.all([show(), show(), show()]);
  expect(made.map(({ reveals }) => reveals)).toEqual([2]);
});

it('a panel closed before it shows anything is not taken for an open one', async () => {
  const only = new OnePanel('kind', (panel) => {
    panel.dispose();
    return Promise.resolve('content');
  });
  await only.show(countingPanel);
  expect(only.shown).toBeUndefined();
});

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
