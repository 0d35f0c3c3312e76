import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/host/platform/contributions';
import { cloudServer } from '../../../src/host/servers/knownServers';
import type { ServerStatus } from '../../../src/host/servers/serverStatus';
import { escapeMarkdown, presentStatus } from '../../../src/host/servers/statusPresentation';

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
  ])('offers for %o what helps', (status, command) => {
    const server = status.kind === 'none' ? undefined : cloudServer;
    expect(presentStatus(server, status, idle).command).toBe(command);
  });

  it('tells a screen reader in words what the icons show', () => {
    const { label } = presentStatus(cloudServer, { kind: 'connected' }, { running: 1, pending: 2 });
    expect(label).toBe('Comfy Deck, Comfy Cloud, connected, 1 running, 2 queued');
  });

  it('warns only where something has to be done', () => {
    const warns = (status: ServerStatus) => presentStatus(cloudServer, status, idle).warning;
    expect(warns({ kind: 'unreachable', ...words })).toBe(true);
    expect(warns({ kind: 'reconnecting', retryAt: 0, reason: 'closed' })).toBe(false);
    expect(warns({ kind: 'connected' })).toBe(false);
  });

  it('says why and what to do in the tooltip', () => {
    const { tooltip } = presentStatus(cloudServer, { kind: 'unreachable', ...words }, idle);
    expect(tooltip).toContain('Nobody answers');
    expect(tooltip).toContain('Start it');
  });

  it('shows words of a server as words', () => {
    expect(escapeMarkdown('[x](command:evil) $(bug) <b>')).toBe(
      '\\[x\\]\\(command:evil\\) \\$\\(bug\\) \\<b\\>',
    );
  });
});
