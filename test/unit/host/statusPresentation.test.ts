import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/host/platform/contributions';
import { cloudServer } from '../../../src/host/servers/knownServers';
import type { ServerStatus } from '../../../src/host/servers/serverStatus';
import { presentStatus, serverAndQueue } from '../../../src/host/servers/statusPresentation';

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

  it('shows the length of the queue in its tooltip, if the server reports it', () => {
    const tooltip = (queueLength?: number) =>
      presentStatus(cloudServer, { kind: 'connected' }, { ...idle, queueLength }).tooltip.markdown();
    expect(tooltip(3)).toContain('The server has 3 jobs running or queued.');
    expect(tooltip(1)).toContain('The server has 1 job running or queued.');
    expect(tooltip(0)).toContain("The server's queue is empty.");
    expect(tooltip()).not.toContain('running or queued');
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
    expect(warns({ kind: 'reconnecting', retryAt: 0, reason: 'closed', heardAt: 0 })).toBe(false);
    expect(warns({ kind: 'connected' })).toBe(false);
  });

  it('explains the reason and the next step in the tooltip', () => {
    const { tooltip } = presentStatus(cloudServer, { kind: 'unreachable', ...words }, idle);
    expect(tooltip.markdown()).toContain('Nobody answers');
    expect(tooltip.markdown()).toContain('Start it');
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
