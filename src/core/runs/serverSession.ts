import type { Catalog } from '../catalog/catalog';
import type { Capabilities } from '../client/capabilities';
import type { ExecutionClient } from '../client/execution';
import type { StreamState } from '../client/eventStream';
import type { HttpStack } from '../client/httpStack';
import type { CredentialSource, RequestLine } from '../client/transport';
import type { JobStore } from '../jobs/jobStore';
import type { JobPreview, JobTracker } from '../jobs/jobTracker';

export interface ServerChoice {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

export interface SessionOptions {
  readonly server: ServerChoice;
  readonly http: HttpStack;
  readonly credential?: CredentialSource | undefined;
  /** Extra request headers, such as those of a proxy in front of the server. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly store: JobStore;
  readonly onStream?: ((state: StreamState) => void) | undefined;
  readonly onPreview?: ((preview: JobPreview) => void) | undefined;
  readonly log?: ((line: RequestLine) => void) | undefined;
  readonly clock?: (() => number) | undefined;
}

/** What a check of the connection found; `problem` and `nextAction` are whole sentences. */
export type ConnectionReport =
  | {
      readonly kind: 'connected';
      readonly dialect: Capabilities['dialect'];
      readonly version?: string | undefined;
      readonly user?: string | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly reason:
        'unreachable' | 'certificate' | 'noKey' | 'wrongKey' | 'subscription' | 'notComfy' | 'other';
      readonly problem: string;
      readonly nextAction: string;
    };

/** Everything that talks to one server for one window. */
export declare class ServerSession {
  constructor(options: SessionOptions);
  readonly server: ServerChoice;
  /** Origin text, as jobs name their server. */
  readonly origin: string;
  readonly clientId: string;
  readonly client: ExecutionClient;
  readonly tracker: JobTracker;
  capabilities(): Promise<Capabilities>;
  catalog(signal?: AbortSignal): Promise<Catalog | undefined>;
  checkConnection(signal?: AbortSignal): Promise<ConnectionReport>;
  dispose(): Promise<void>;
}
