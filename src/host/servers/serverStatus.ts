import type { JobsRefusal } from '../../core/jobs/jobsRefusal';
import type { ConnectionReport } from '../../core/server/probeCapabilities';
import type { KnownServer } from './knownServers';
import { listText, t } from '../../core/safety/localize';
import { timeOfDay } from '../../core/safety/timeText';

/** The status of the current server. Only `connected` was verified. */
export type ServerStatus =
  /** No server is selected. */
  | { readonly kind: 'none' }
  /** The sandbox is selected but not running yet. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'checking' }
  | {
      readonly kind: 'connected';
      readonly version?: string | undefined;
      readonly user?: string | undefined;
      readonly jobsRefused?: JobsRefusal | undefined;
    }
  | { readonly kind: 'noKey' }
  | { readonly kind: 'refused'; readonly problem: string; readonly nextAction: string }
  | { readonly kind: 'unreachable'; readonly problem: string; readonly nextAction: string }
  /** The event socket is down; the list is polled. `heardAt`: when the server was last heard from. */
  | {
      readonly kind: 'reconnecting';
      readonly reason: string;
      readonly heardAt: number;
    };

export function statusOfReport(report: ConnectionReport): ServerStatus {
  if (report.kind === 'connected') return { kind: 'connected', version: report.version, user: report.user };
  const { problem, nextAction } = report;
  switch (report.reason) {
    case 'noKey':
      return { kind: 'noKey' };
    // The tracker of its jobs knows why, and when that changes.
    case 'jobsRefused':
      return { kind: 'connected' };
    case 'wrongKey':
    case 'subscription':
      return { kind: 'refused', problem, nextAction };
    case 'unreachable':
    case 'certificate':
    case 'notComfy':
    case 'other':
      return { kind: 'unreachable', problem, nextAction };
  }
}

/** State in a few words, for pick lists and tooltips. */
export function describeStatus(server: KnownServer | undefined, status: ServerStatus): string {
  switch (status.kind) {
    case 'none':
      return server ? t`no longer selected, but its runs are still tracked` : t`no server is selected`;
    case 'stopped':
      return t`not started`;
    case 'unchecked':
      return t`not checked yet`;
    case 'checking':
      return t`checking…`;
    case 'connected': {
      const connected = server?.kind === 'sandbox' ? t`running` : connectedWords(status);
      return status.jobsRefused ? refusedWords(connected, status.jobsRefused.missing) : connected;
    }
    case 'noKey':
      return t`needs an API key`;
    case 'refused':
      return t`rejected the API key`;
    case 'unreachable':
      return t`not reachable`;
    case 'reconnecting':
      return t`reconnecting, no updates since ${timeOfDay(status.heardAt)}`;
  }
}

/** A connected server that refuses access to its jobs. */
function refusedWords(connected: string, missing: 'key' | 'permission' | 'payment'): string {
  switch (missing) {
    case 'key':
      return t`${connected}, but jobs need an API key`;
    case 'permission':
      return t`${connected}, but access to jobs is denied`;
    case 'payment':
      return t`${connected}, but jobs need credits or a subscription`;
  }
}

function connectedWords({
  user,
  version,
}: {
  readonly user?: string | undefined;
  readonly version?: string | undefined;
}): string {
  return listText([t`connected`, user && t`as ${user}`, version && t`version ${version}`]);
}
