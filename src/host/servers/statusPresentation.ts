import { commands, type CommandId } from '../platform/contributions';
import { startOfSentence } from '../../core/safety/endSentence';
import { jobsText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';
import { Shown, shown, ShownLink, shownList } from '../../core/safety/shownText';
import { describeStatus, type ServerStatus } from './serverStatus';
import { timeOfDay } from '../../core/safety/timeText';
import type { KnownServer } from './knownServers';

/** The job counts in the status bar. */
export interface JobCounts {
  readonly running: number;
  readonly pending: number;
  /** Everyone's jobs on the server, by its own count. */
  readonly queueLength?: number | undefined;
}

/** The content of the status bar item; icon and text, so that nothing depends on color. */
export interface StatusPresentation {
  readonly text: Shown;
  /** For screen readers, instead of the icons. */
  readonly spoken: Shown;
  readonly tooltip: Shown;
  readonly command: CommandId;
  readonly warning: boolean;
}

const icons: Readonly<Record<ServerStatus['kind'], Shown>> = {
  none: shown`$(server)`,
  stopped: shown`$(circle-outline)`,
  unchecked: shown`$(circle-outline)`,
  checking: shown`$(loading~spin)`,
  connected: shown`$(pass)`,
  noKey: shown`$(key)`,
  refused: shown`$(key)`,
  unreachable: shown`$(debug-disconnect)`,
  reconnecting: shown`$(sync~spin)`,
};

export function presentStatus(
  server: KnownServer | undefined,
  status: ServerStatus,
  jobs: JobCounts,
): StatusPresentation {
  const name = server?.name ?? 'Comfy Deck';
  const words = describeStatus(server, status);
  const busy = jobs.running + jobs.pending > 0;
  const queue = busy ? shown` $(play-circle) ${jobs.running}/${jobs.running + jobs.pending}` : shown``;
  const queueWords = busy ? t`${jobs.running} running, ${jobs.pending} queued` : '';
  const { command, does } = actionFor(status, busy);
  return {
    text: shown`${iconOf(status)} ${name}${queue}`,
    spoken: shownList(['Comfy Deck', name, words, queueWords].filter((part) => part !== '')),
    tooltip: tooltipOf(server, status, words, [queueWords, serverQueueWords(jobs.queueLength)], does),
    command,
    warning:
      status.kind === 'unreachable' ||
      status.kind === 'refused' ||
      status.kind === 'noKey' ||
      (status.kind === 'connected' && status.jobsRefused !== undefined),
  };
}

function iconOf(status: ServerStatus): Shown {
  if (status.kind !== 'connected' || !status.jobsRefused) return icons[status.kind];
  return status.jobsRefused.missing === 'key' ? icons.noKey : shown`$(lock)`;
}

function actionFor(status: ServerStatus, busy: boolean): { command: CommandId; does: string } {
  if (status.kind === 'connected' && status.jobsRefused) return afterRefusal[status.jobsRefused.missing];
  switch (status.kind) {
    case 'noKey':
    case 'refused':
      return signIn();
    case 'unreachable':
      return again();
    case 'unchecked':
      return busy
        ? showJobs()
        : { command: commands.checkConnection, does: t`Click to check the connection.` };
    case 'none':
    case 'stopped':
    case 'checking':
    case 'connected':
    case 'reconnecting':
      return busy ? showJobs() : { command: commands.selectServer, does: t`Click to select a server.` };
  }
}

const signIn = () => ({ command: commands.signIn, does: t`Click to sign in.` });
const again = () => ({ command: commands.checkConnection, does: t`Click to check again.` });
const afterRefusal = { key: signIn(), permission: again(), payment: again() };
const showJobs = () => ({ command: commands.showJobs, does: t`Click to see the jobs.` });

function tooltipOf(
  server: KnownServer | undefined,
  status: ServerStatus,
  words: string,
  queueWords: readonly string[],
  does: string,
): Shown {
  const lines = [
    server ? shown`**${server.name}**: ${words}` : shown`${startOfSentence(t`no server is selected`)}.`,
  ];
  if (server?.url !== undefined) lines.push(shown`${server.url}`);
  if (status.kind === 'refused' || status.kind === 'unreachable') {
    lines.push(shown`${status.problem} ${status.nextAction}`);
  }
  if (status.kind === 'connected' && status.jobsRefused) {
    const { problem, nextAction } = status.jobsRefused;
    lines.push(shown`${problem} ${nextAction}`);
  }
  if (status.kind === 'reconnecting') lines.push(reconnectingWords(status));
  for (const each of queueWords) if (each !== '') lines.push(shown`${each}`);
  lines.push(shown`${does}`, links(status));
  return Shown.join(lines, shown`\n\n`);
}

export function reconnectingWords({
  heardAt,
  reason,
}: Extract<ServerStatus, { readonly kind: 'reconnecting' }>): Shown {
  return shown`No live updates since ${timeOfDay(heardAt)} (${reason}). Comfy Deck is reconnecting and refreshes every few seconds until then.`;
}

/** The server, and how many jobs are running or queued there: next to the title of the Jobs view. */
export function serverAndQueue(name: string, queueLength: number | undefined): Shown {
  return queueLength === undefined || queueLength === 0
    ? shown`${name}`
    : shown`${name}, ${queueLength} in queue`;
}

function serverQueueWords(length: number | undefined): string {
  if (length === undefined) return '';
  if (length === 0) return t`The server's queue is empty.`;
  return t`The server has ${jobsText(length)} running or queued.`;
}

function links(status: ServerStatus): Shown {
  const steps: [Shown, CommandId][] = [
    [shown`Select Server`, commands.selectServer],
    [shown`Show Jobs`, commands.showJobs],
    [shown`Show Log`, commands.showLog],
  ];
  if (status.kind !== 'none' && status.kind !== 'stopped')
    steps.unshift([shown`Check Connection`, commands.checkConnection]);
  return Shown.join(
    steps.map(([label, command]) => new ShownLink(label, `command:${command}`)),
    shown` · `,
  );
}
