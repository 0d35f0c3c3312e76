import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ExtensionContext } from 'vscode';
import type { BatchRow } from '../../../src/core/batch/batchRow';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { presentDefinitions } from '../../../src/host/language/definitionsStatus';
import { commands } from '../../../src/host/platform/contributions';
import { cloudServer, type KnownServer } from '../../../src/host/servers/knownServers';
import type { ServerStatus } from '../../../src/host/servers/serverStatus';
import { StatusFeature } from '../../../src/host/servers/statusFeature';
import {
  presentStatus,
  serverAndQueue,
  type StatusPresentation,
} from '../../../src/host/servers/statusPresentation';
import { id, origin, server, start } from '../jobs/observations';

const idle = { running: 0, pending: 0 };
const words = { problem: 'Nobody answers.', nextAction: 'Start it.' };

describe('the status bar item', () => {
  it.each<[ServerStatus, string]>([
    [{ kind: 'none' }, commands.selectServer],
    [{ kind: 'noKey' }, commands.signIn],
    [{ kind: 'refused', ...words }, commands.signIn],
    [{ kind: 'unreachable', ...words }, commands.checkConnection],
    [{ kind: 'unchecked' }, commands.checkConnection],
    [{ kind: 'connected' }, commands.selectServer],
  ])('offers the right command for %o', (status, command) => {
    const server = status.kind === 'none' ? undefined : cloudServer;
    expect(presentStatus(server, status, idle).command).toBe(command);
  });

  it('describes its icons to screen readers', () => {
    const { spoken } = presentStatus(cloudServer, { kind: 'connected' }, { running: 1, pending: 2 });
    expect(spoken.line()).toBe('Comfy Deck, Comfy Cloud, connected, 1 running, 2 queued');
  });

  it('shows the length of the queue beside the title of the Jobs view', () => {
    expect(serverAndQueue('Attic', 3).line()).toBe('Attic, 3 in queue');
    expect([serverAndQueue('Attic', 0).line(), serverAndQueue('Attic', undefined).line()]).toEqual([
      'Attic',
      'Attic',
    ]);
  });

  it.each([
    ['key', '$(key)', /jobs need an API key/, commands.signIn],
    ['permission', '$(lock)', /access to jobs is denied/, commands.checkConnection],
    ['payment', '$(lock)', /credits or a subscription/, commands.checkConnection],
  ] as const)('has no check mark when jobs are refused for lack of a %s', (missing, icon, says, command) => {
    const jobsRefused = { missing, problem: 'No jobs for you.', nextAction: 'Do this.' };
    const busy = { running: 1, pending: 0 };
    const item = presentStatus(cloudServer, { kind: 'connected', jobsRefused }, busy);
    expect(item.text.line()).toBe(`${icon} Comfy Cloud $(play-circle) 1/1`);
    expect(item.spoken.line()).toMatch(/connected, but/);
    expect(item.spoken.line()).toMatch(says);
    expect(item.tooltip.markdown()).toMatch(/No jobs for you\\?\. Do this/);
    expect(item).toMatchObject({ command, warning: true });
  });

  it('warns only when action is needed', () => {
    const warns = (status: ServerStatus) => presentStatus(cloudServer, status, idle).warning;
    expect(warns({ kind: 'unreachable', ...words })).toBe(true);
    expect(warns({ kind: 'reconnecting', reason: 'closed', heardAt: 0 })).toBe(false);
    expect(warns({ kind: 'connected' })).toBe(false);
  });

  it("shows a server's message as text", () => {
    const problem = '[x](command:evil) $(bug) <b>';
    const server = { kind: 'own', name: problem, url: 'http://127.0.0.1:8188' } as const;
    const status = { kind: 'unreachable', problem, nextAction: '' } as const;
    const { tooltip, text } = presentStatus(server, status, { running: 1, pending: 0 });
    expect(tooltip.markdown()).not.toMatch(/\]\(command:evil|[^\\]<b>|\$\(bug/);
    expect(tooltip.markdown()).toContain('[Show Log](command:comfyDeck.showLog)');
    expect(text.line()).toBe('$(debug-disconnect) [x] (command:evil) $ (bug) <b> $(play-circle) 1/1');
  });
});

it('the language status tells that only the structure is checked without definitions', () => {
  const none = { server: undefined, known: undefined, reading: false, problem: undefined };
  const { text, isFull } = presentDefinitions(none);
  expect([text.line(), isFull]).toEqual(['Structure only', false]);
});

const silent = () => ({ dispose: () => undefined });
const noSessions = {
  queueLengthOf: () => undefined,
  onDidChangeQueueLength: silent,
  onDidChangeSilence: silent,
};

type Servers = ConstructorParameters<typeof StatusFeature>[0];
type Batches = ConstructorParameters<typeof StatusFeature>[3];

/** The status bar of a window, and what it says at last. */
function statusBar(servers: Servers, batches: Batches = { shown: [], onDidChange: silent }) {
  const store = new JobStore();
  const shown: StatusPresentation[] = [];
  const item = { update: (each: StatusPresentation) => shown.push(each), wake: () => undefined };
  const context = { subscriptions: [] as { dispose(): void }[] };
  new StatusFeature(servers, store, item, batches).register(context as unknown as ExtensionContext);
  onTestFinished(() => context.subscriptions.forEach((each) => each.dispose()));
  const says = (words: RegExp): Promise<void> =>
    vi.waitFor(() => expect(shown.at(-1)?.spoken.line()).toMatch(words), 20_000);
  return { store, says };
}

it('counts a batch as a whole, on all its servers, and the other runs of the selected server', async () => {
  const rows = (['saved', 'running', 'running', 'queued', 'waiting', 'waiting'] as const).map(
    (state, index): BatchRow => ({ index, state, job: state === 'queued' ? 'row' : undefined }),
  );
  const attic = { kind: 'own', name: 'Attic', url: server } as const;
  const status = { kind: 'connected' } as const;
  const servers = { current: () => attic, status, sessions: noSessions, onDidChange: silent };
  const batches = (['running', 'stopped'] as const).map((state) => ({ state, rows }));
  const { store, says } = statusBar(servers, { shown: batches, onDidChange: silent });
  store.observe({ kind: 'submitted', id, server, origin, at: start });
  store.observe({ kind: 'submitted', id: 'row', server, origin, at: start });
  await says(/Attic, connected, 2 running, 4 queued/);
});

it('a server removed from the settings keeps its name in the status bar until our run there ends', async () => {
  let current: KnownServer | undefined = { kind: 'own', name: 'Attic', url: server };
  let status: ServerStatus = { kind: 'connected' };
  let changed: () => void = () => undefined;
  const { store, says } = statusBar({
    sessions: noSessions,
    current: () => current,
    get status() {
      return status;
    },
    onDidChange: (listener: () => void) => {
      changed = listener;
      return silent();
    },
  });
  store.observe({ kind: 'submitted', id, server, origin, at: start });
  await says(/Attic, connected, 0 running, 1 queued/);
  current = undefined;
  status = { kind: 'none' };
  changed();
  await says(/Attic, no longer selected, but its runs are still tracked, 0 running, 1 queued/);
  store.observe({ kind: 'gone', id, server, at: start + 1 });
  await says(/^Comfy Deck, Comfy Deck, no server is selected/);
});
