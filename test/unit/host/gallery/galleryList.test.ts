import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import type { EntryFile } from '../../../../src/core/runLife/runEntry';
import { SentList, startInWindow } from '../../../../src/host/gallery/galleryList';
import type { WindowLedger } from '../../../../src/host/ledger/windowLedger';
import { Ratings, type RatedOutput } from '../../../../src/host/gallery/ratings';
import type { GalleryList, ToGallery } from '../../../../src/webview/contract/gallery';

function row(id: number, server: string): EntryFile {
  const about = { label: 'portrait.json', seeds: [], sha256: '', bytes: 1, search: '', time: id };
  return { ...about, id, server, folder: 0, name: `${id}.svg`, record: `${id}.run.json`, kind: 'image' };
}

it('offers a server once, whatever addresses it has had, and finds the outputs of each', () => {
  const lists: GalleryList[] = [];
  const ledger = {
    files: [row(3, 'http://127.0.0.1:2'), row(2, 'https://cloud.comfy.org'), row(1, 'http://127.0.0.1:1')],
    folders: [],
    isReading: false,
    isCut: false,
    unread: 0,
    uriOf: () => ({}),
  };
  const list = new SentList(
    { nameOf: (origin) => (origin.startsWith('https') ? 'Comfy Cloud' : 'Sandbox') },
    ledger as unknown as WindowLedger,
    { isEmpty: true } as Ratings,
    () => '',
    (message: ToGallery) => message.type === 'list' && lists.push(message.list),
  );
  list.query = { server: 'Sandbox' };
  list.send();
  expect(lists.at(-1)).toMatchObject({ ids: [3, 1], choices: { servers: ['Sandbox', 'Comfy Cloud'] } });
});

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

/** What a workspace remembers. */
function memory(kept: Record<string, unknown> = {}): vscode.Memento {
  return {
    keys: () => Object.keys(kept),
    get: (key: string) => kept[key],
    update: (key: string, value: unknown) => {
      kept[key] = value;
      return Promise.resolve();
    },
  } as vscode.Memento;
}

function output(address: string, sha256 = ''): RatedOutput {
  return { file: { toString: () => address } as Partial<vscode.Uri> as vscode.Uri, sha256 };
}

const hash = 'a'.repeat(64);

describe('the stars of outputs', () => {
  it('belong to what an output contains, wherever it is moved, and are kept', async () => {
    const state = memory();
    await new Ratings(state).rate([output('file:///a.png', hash)], 4);
    expect(new Ratings(state).of(output('file:///elsewhere/b.png', hash))).toBe(4);
    expect(new Ratings(state).of(output('file:///a.png', 'b'.repeat(64)))).toBe(0);
  });

  it('belong to the address where no hash is known', async () => {
    const state = memory();
    await new Ratings(state).rate([output('file:///a.png')], 2);
    expect(new Ratings(state).of(output('file:///a.png'))).toBe(2);
    expect(new Ratings(state).of(output('file:///b.png'))).toBe(0);
  });

  it('are one value: a later rating replaces it, and none takes it away', async () => {
    const ratings = new Ratings(memory());
    await ratings.rate([output('file:///a.png', hash)], 5);
    await ratings.rate([output('file:///a.png', hash)], 1);
    expect(ratings.of(output('file:///a.png', hash))).toBe(1);
    await ratings.rate([output('file:///a.png', hash)], 0);
    expect(ratings.isEmpty).toBe(true);
  });

  it('survive what is not theirs', () => {
    expect(new Ratings(memory({ 'gallery.ratings': [['a', 9], 7, ['b']] })).isEmpty).toBe(true);
  });
});
