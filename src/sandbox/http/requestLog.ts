import type { IncomingMessage } from 'node:http';

/** Never contains the values of credentials. */
export interface SeenRequest {
  readonly origin: 'server' | 'storage';
  readonly method: string;
  /** Without the query, to leave out tokens and signatures. */
  readonly path: string;
  readonly credentials: {
    readonly apiKey: boolean;
    readonly authorization: boolean;
    readonly cookie: boolean;
    readonly token: boolean;
  };
}

/** Oldest first. */
export class RequestLog {
  readonly #requests: SeenRequest[] = [];
  readonly #accepted: string[] = [];

  constructor(private readonly limit = 5_000) {}

  get requests(): readonly SeenRequest[] {
    return this.#requests;
  }

  get accepted(): readonly string[] {
    return this.#accepted;
  }

  /** `/api` in front makes no difference. */
  count(method: string, path: string): number {
    return this.#requests.filter((seen) => seen.method === method && bare(seen.path) === bare(path)).length;
  }

  addAccepted(jobId: string): void {
    this.#accepted.push(jobId);
    if (this.#accepted.length > this.limit) this.#accepted.shift();
  }

  add(origin: SeenRequest['origin'], request: IncomingMessage, url: URL): SeenRequest {
    const seen: SeenRequest = {
      origin,
      method: request.method ?? 'GET',
      path: url.pathname,
      credentials: {
        apiKey: request.headers['x-api-key'] !== undefined,
        authorization: request.headers.authorization !== undefined,
        cookie: request.headers.cookie !== undefined,
        token: url.searchParams.has('token'),
      },
    };
    this.#requests.push(seen);
    if (this.#requests.length > this.limit) this.#requests.shift();
    return seen;
  }
}

export function carriesCredential({ credentials }: SeenRequest): boolean {
  return credentials.apiKey || credentials.authorization || credentials.cookie || credentials.token;
}

function bare(path: string): string {
  return path.startsWith('/api/') ? path.slice('/api'.length) : path;
}
