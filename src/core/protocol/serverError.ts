import { t } from '../safety/localize';

/** Why a request to a server failed, as far as it matters for what the user can do (protocol 7.1). */
export type ServerErrorReason = (typeof serverErrorReasons)[number];
export const serverErrorReasons = [
  ...(['unauthorized', 'insufficientCredits', 'subscription', 'queueFull', 'rateLimited'] as const),
  ...(['forbidden', 'notFound', 'badRequest', 'tooLarge', 'server', 'network', 'certificate'] as const),
  ...(['timeout', 'unexpectedShape'] as const),
] as const;

export interface ServerErrorDetails {
  readonly reason: ServerErrorReason;
  /** Method and path without query, such as `POST /api/prompt`. */
  readonly endpoint: string;
  readonly status?: number | undefined;
  readonly serverMessage?: string | undefined;
  readonly serverCode?: string | undefined;
  /** Seconds that the server asked to wait. */
  readonly retryAfter?: number | undefined;
  /** The limit is unknown, or the subscription is inactive, so an immediate retry would end the same. */
  readonly lasts?: boolean | undefined;
  /** One sentence, if the next step differs from the usual one for the reason. */
  readonly nextAction?: string | undefined;
  readonly cause?: unknown;
}

const nextActions = (): Readonly<Record<ServerErrorReason, string>> => ({
  unauthorized: t`Sign in with a valid API key.`,
  insufficientCredits: t`Add credits to your Comfy account, then try again.`,
  subscription: t`Check your subscription, then run again.`,
  queueFull: t`Wait for a queued job to finish, or cancel one, then run again.`,
  rateLimited: t`Try again later.`,
  forbidden: t`Check your account's permissions, or choose another server.`,
  notFound: t`Refresh the list.`,
  badRequest: t`Fix the reported problems, then run again.`,
  tooLarge: t`Make the file smaller, or raise the limit on the server.`,
  server: t`Try again later, or check the server log.`,
  network: t`Check that the server is running and its address is correct.`,
  certificate: t`Trust the server's certificate on this machine, or use http://127.0.0.1 for a local server.`,
  timeout: t`Try again later, or check the server log.`,
  unexpectedShape: t`Check that the address is that of a ComfyUI server.`,
});

/** Cancellation is not an error: an aborted request rejects with the signal's own reason. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly reason: ServerErrorReason;
  readonly endpoint: string;
  readonly status: number | undefined;
  readonly serverMessage: string | undefined;
  readonly serverCode: string | undefined;
  readonly retryAfter: number | undefined;
  readonly lasts: boolean;
  readonly nextAction: string;
  readonly #details: ServerErrorDetails;

  constructor(message: string, details: ServerErrorDetails) {
    super(message, { cause: details.cause });
    this.reason = details.reason;
    this.endpoint = details.endpoint;
    this.status = details.status;
    this.serverMessage = details.serverMessage;
    this.serverCode = details.serverCode;
    this.retryAfter = details.retryAfter;
    this.lasts = details.lasts === true;
    this.nextAction = details.nextAction ?? nextActions()[details.reason];
    this.#details = details;
  }

  /** A proxy speaks for a server that it doesn't reach; whether the request got there, it doesn't say. */
  get isFromGateway(): boolean {
    return this.status === 502 || this.status === 503 || this.status === 504;
  }

  reworded(message: string, changes: Partial<ServerErrorDetails>): ServerError {
    return new ServerError(message, { ...this.#details, ...changes });
  }

  static is(error: unknown, reason?: ServerErrorReason): error is ServerError {
    return error instanceof ServerError && (reason === undefined || error.reason === reason);
  }
}
