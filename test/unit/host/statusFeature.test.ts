import { expect, it, vi } from 'vitest';
import type { ExtensionContext } from 'vscode';
import type { BatchRow } from '../../../src/core/batch/batchRow';
import { JobStore } from '../../../src/core/jobs/jobStore';
import type { KnownServer } from '../../../src/host/servers/knownServers';
import { StatusFeature } from '../../../src/host/servers/statusFeature';
import type { StatusPresentation } from '../../../src/host/servers/statusPresentation';
import type { ServerStatus } from '../../../src/host/servers/serverStatus';
import { id, origin, server, start } from '../jobs/observations';

const silent = () => ({ dispose: () => undefined });
const noBatches = { shown: [], onDidChange: silent };

it('counts a batch as a whole, on all its servers, and the other runs of the selected server', async () => {
  const store = new JobStore();
  const rows = (['saved', 'running', 'running', 'queued', 'waiting', 'waiting'] as const).map(
    (state, index): BatchRow => ({ index, state, job: state === 'queued' ? 'row' : undefined }),
  );
  const shown: StatusPresentation[] = [];
  const servers = {
    current: (): KnownServer => ({ kind: 'own', name: 'Attic', url: server }),
    status: { kind: 'connected' } as const,
    sessions: { queueLengthOf: () => undefined, onDidChangeQueueLength: silent, onDidChangeSilence: silent },
    onDidChange: silent,
  };
  const batches = {
    shown: [
      { state: 'running', rows },
      { state: 'stopped', rows },
    ],
    onDidChange: silent,
  };
  const item = { update: (each: StatusPresentation) => shown.push(each), wake: () => undefined };
  const context = { subscriptions: [] as { dispose(): void }[] };
  new StatusFeature(servers, store, item, batches).register(context as unknown as ExtensionContext);
  store.observe({ kind: 'submitted', id, server, origin, at: start });
  store.observe({ kind: 'submitted', id: 'row', server, origin, at: start });
  await vi.waitFor(
    () => expect(shown.at(-1)?.spoken.line()).toMatch(/Attic, connected, 2 running, 4 queued/),
    20_000,
  );
  for (const each of context.subscriptions) each.dispose();
});

it('a server removed from the settings keeps its name in the status bar until our run there ends', async () => {
  const store = new JobStore();
  let current: KnownServer | undefined = { kind: 'own', name: 'Attic', url: server };
  let status: ServerStatus = { kind: 'connected' };
  let changed: () => void = () => undefined;
  const shown: StatusPresentation[] = [];
  const servers = {
    current: () => current,
    sessions: {
      queueLengthOf: () => undefined,
      onDidChangeQueueLength: () => ({ dispose: () => undefined }),
      onDidChangeSilence: () => ({ dispose: () => undefined }),
    },
    get status() {
      return status;
    },
    onDidChange: (listener: () => void) => {
      changed = listener;
      return { dispose: () => undefined };
    },
  };
  const item = { update: (each: StatusPresentation) => shown.push(each), wake: () => undefined };
  const context = { subscriptions: [] as { dispose(): void }[] };
  new StatusFeature(servers, store, item, noBatches).register(context as unknown as ExtensionContext);
  const says = (words: RegExp): Promise<void> =>
    vi.waitFor(() => expect(shown.at(-1)?.spoken.line()).toMatch(words), 20_000);

  store.observe({ kind: 'submitted', id, server, origin, at: start });
  await says(/Attic, connected, 0 running, 1 queued/);
  current = undefined;
  status = { kind: 'none' };
  changed();
  await says(/Attic, no longer selected, but its runs are still tracked, 0 running, 1 queued/);
  store.observe({ kind: 'gone', id, server, at: start + 1 });
  await says(/^Comfy Deck, Comfy Deck, no server selected/);
  for (const each of context.subscriptions) each.dispose();
});
