import type { ConnectionReport } from '../../core/server/connectionReport';
import type { KnownServer } from './knownServers';

/** What is known about the current server. Only `connected` was seen to work. */
export type ServerStatus =
  /** No server has been chosen. */
  | { readonly kind: 'none' }
  /** The sandbox is chosen and does not run yet. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'connected'; readonly version?: string | undefined; readonly user?: string | undefined }
  | { readonly kind: 'noKey' }
  | { readonly kind: 'refused'; readonly problem: string; readonly nextAction: string }
  | { readonly kind: 'unreachable'; readonly problem: string; readonly nextAction: string }
  /** The event socket is down; the list is polled meanwhile. `heardAt`: when something was heard last. */
  | {
      readonly kind: 'reconnecting';
      readonly retryAt: number;
      readonly reason: string;
      readonly heardAt: number;
    };

export function statusOfReport(report: ConnectionReport): ServerStatus {
  if (report.kind === 'connected') return { kind: 'connected', version: report.version, user: report.user };
  const { problem, nextAction } = report;
  switch (report.reason) {
    case 'noKey':
      return { kind: 'noKey' };
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

/** A time of the clock as people of this machine write it. */
export function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

/** State in a few words, for pick lists and tooltips. */
export function describeStatus(server: KnownServer | undefined, status: ServerStatus): string {
  switch (status.kind) {
    case 'none':
      return server ? 'no longer selected; its runs are still tracked' : 'no server selected';
    case 'stopped':
      return 'not started';
    case 'unchecked':
      return 'not checked yet';
    case 'checking':
      return 'checking…';
    case 'connected': {
      const version = status.version === undefined ? '' : `, version ${status.version}`;
      const user = status.user === undefined ? '' : `, as ${status.user}`;
      return server?.kind === 'sandbox' ? 'running' : `connected${user}${version}`;
    }
    case 'noKey':
      return 'needs an API key';
    case 'refused':
      return 'rejected the API key';
    case 'unreachable':
      return 'not reachable';
    case 'reconnecting':
      return `reconnecting, last heard from at ${timeOfDay(status.heardAt)}`;
  }
}
