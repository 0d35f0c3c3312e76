import type { HttpStack } from '../core/client/httpStack';
import type { JobStore } from '../core/jobs/jobStore';
import { RunSession } from '../core/runLife/runSession';
import type { Secrets } from '../core/safety/secrets';

export interface SessionParts {
  /** Its address. */
  readonly server: string;
  readonly name?: string;
  /** Sent to this server only. */
  readonly key: string | undefined;
  readonly http: HttpStack;
  readonly store: JobStore;
  readonly secrets: Secrets;
  readonly say?: ((sentence: string) => void) | undefined;
}

/** A session with a server for one command; the caller disposes of it. */
export function openSession({ server, name = server, key, say, ...parts }: SessionParts): RunSession {
  return new RunSession({
    ...parts,
    server: { id: server, name, url: server },
    onNotice: say,
    credential: key === undefined ? undefined : () => Promise.resolve({ kind: 'apiKey', value: key }),
  });
}
