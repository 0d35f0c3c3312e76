import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { SentList, startInWindow } from '../../../../src/host/gallery/galleryList';
import { JobStore } from '../../../../src/core/jobs/jobStore';
import { RunStore } from '../../../../src/core/runLife/runStore';
import type { RunFolders } from '../../../../src/host/runs/runFolders';
import { Ratings, type RatedOutput } from '../../../../src/host/gallery/ratings';
import type { GalleryList, ToGallery } from '../../../../src/webview/contract/gallery';

it('offers a server once, whatever addresses it has had, and finds the outputs of each', () => {
  const lists: GalleryList[] = [];
  const runs = new RunStore(new JobStore());
  for (const [time, server] of [
    'http://127.0.0.1:1',
    'https://cloud.comfy.org',
    'http://127.0.0.1:2',
  ].entries()) {
    const facts = { state: 'saved', label: 'a', seeds: [], search: '', isSent: true, time, server } as const;
    const file = {
      id: time + 1,
      name: 'a.svg',
      node: '9',
      key: '9',
      kind: 'image',
      sha256: '',
      bytes: 1,
    } as const;
    runs.put({ folder: '/', record: `${time}.run.json` }, { facts, files: [file], job: undefined });
  }
  const folders = { runs: runs.runs, folders: [], isReading: false, isCut: false, unread: 0 };
  const list = new SentList(
    { nameOf: (origin) => (origin.startsWith('https') ? 'Comfy Cloud' : 'Sandbox') },
    folders as unknown as RunFolders,
    { isEmpty: true } as Ratings,
    () => '',
    (message: ToGallery) => message.type === 'list' && lists.push(message.list),
  );
  list.send({ server: 'Sandbox' });
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
