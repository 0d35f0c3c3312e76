import { commands, type CommandId } from '../platform/contributions';
import { describeStatus, type ServerStatus } from './serverStatus';
import type { KnownServer } from './knownServers';

/** How many jobs of ours the status bar tells of. */
export interface JobCounts {
  readonly running: number;
  readonly pending: number;
}

/** What the status bar item shows; icon and words, so that nothing hangs on a colour. */
export interface StatusPresentation {
  readonly text: string;
  /** Read by a screen reader instead of the icons. */
  readonly label: string;
  readonly tooltip: string;
  readonly command: CommandId;
  readonly warning: boolean;
}

const icons: Readonly<Record<ServerStatus['kind'], string>> = {
  none: '$(server)',
  stopped: '$(circle-outline)',
  unchecked: '$(circle-outline)',
  checking: '$(loading~spin)',
  connected: '$(pass)',
  noKey: '$(key)',
  refused: '$(key)',
  unreachable: '$(debug-disconnect)',
  reconnecting: '$(sync~spin)',
};

export function presentStatus(
  server: KnownServer | undefined,
  status: ServerStatus,
  jobs: JobCounts,
): StatusPresentation {
  const name = server?.name ?? 'Comfy Deck';
  const words = describeStatus(server, status);
  const busy = jobs.running + jobs.pending > 0;
  const queue = busy ? ` ${jobs.running}/${jobs.running + jobs.pending}` : '';
  const queueWords = busy ? `${jobs.running} running, ${jobs.pending} queued` : '';
  const { command, does } = actionFor(status, busy);
  return {
    text: `${icons[status.kind]} ${name}${busy ? ` $(play-circle)${queue}` : ''}`,
    label: ['Comfy Deck', name, words, queueWords].filter((part) => part !== '').join(', '),
    tooltip: tooltipOf(server, status, words, queueWords, does),
    command,
    warning: status.kind === 'unreachable' || status.kind === 'refused' || status.kind === 'noKey',
  };
}

function actionFor(status: ServerStatus, busy: boolean): { command: CommandId; does: string } {
  switch (status.kind) {
    case 'noKey':
    case 'refused':
      return { command: commands.signIn, does: 'Click to sign in.' };
    case 'unreachable':
      return { command: commands.checkConnection, does: 'Click to check again.' };
    case 'unchecked':
      return busy ? showJobs : { command: commands.checkConnection, does: 'Click to check the connection.' };
    case 'none':
    case 'stopped':
    case 'checking':
    case 'connected':
    case 'reconnecting':
      return busy ? showJobs : { command: commands.selectServer, does: 'Click to select a server.' };
  }
}

const showJobs = { command: commands.showJobs, does: 'Click to see the jobs.' };

function tooltipOf(
  server: KnownServer | undefined,
  status: ServerStatus,
  words: string,
  queueWords: string,
  does: string,
): string {
  const lines = [
    server ? `**${escapeMarkdown(server.name)}**: ${escapeMarkdown(words)}` : 'No server is selected.',
  ];
  if (server?.url !== undefined) lines.push(`\`${server.url.replaceAll('`', '')}\``);
  if (status.kind === 'refused' || status.kind === 'unreachable') {
    lines.push(escapeMarkdown(`${status.problem} ${status.nextAction}`));
  }
  if (status.kind === 'reconnecting') {
    lines.push(
      `The live connection is down (${escapeMarkdown(status.reason)}). Jobs are asked for meanwhile.`,
    );
  }
  if (queueWords !== '') lines.push(queueWords);
  lines.push(does, links(status));
  return lines.join('\n\n');
}

function links(status: ServerStatus): string {
  const steps: [string, CommandId][] = [
    ['Select Server', commands.selectServer],
    ['Show Jobs', commands.showJobs],
    ['Show Log', commands.showLog],
  ];
  if (status.kind !== 'none' && status.kind !== 'stopped')
    steps.unshift(['Check Connection', commands.checkConnection]);
  return steps.map(([label, command]) => `[${label}](command:${command})`).join(' · ');
}

/** Words of a server inside our own Markdown stay words. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~$&]/g, '\\$&').replace(/\s+/g, ' ');
}
