import type { Exchange } from '../../../src/sandbox/http/exchange';

interface Canned {
  readonly status: number;
  /** Text is sent as it is, anything else as JSON. */
  readonly body: unknown;
  readonly type?: string;
}

/** The error answers of protocol 7.1, and a few from gateways. */
const canned = {
  badRequest: { status: 400, body: { code: 'BAD_REQUEST', message: 'The request is not valid' } },
  unauthorized: { status: 401, body: { code: 'UNAUTHORIZED', message: 'Invalid API key' } },
  noCredits: planRefusal(402, 'PAYMENT_REQUIRED', 'Insufficient credits to queue workflows'),
  subscriptionRequired: planRefusal(402, 'SUBSCRIPTION_REQUIRED', 'Subscription required to queue workflows'),
  partnerDisabled: {
    status: 403,
    body: {
      error: {
        type: 'PARTNER_NODE_DISABLED',
        message: 'Partner nodes are disabled for this workspace',
        class_types: ['SandboxPartnerImage'],
        providers: ['sandbox'],
      },
    },
  },
  forbidden: { status: 403, body: { code: 'FORBIDDEN', message: 'Not allowed' } },
  notFound: { status: 404, body: { code: 'NOT_FOUND', message: 'Not found' } },
  tooLarge: { status: 413, body: { message: 'Workflow is too large' } },
  queueLimit: planRefusal(
    429,
    'QUEUE_LIMIT',
    'Maximum queued jobs limit reached (10 jobs in this workspace)',
  ),
  rateLimited: { status: 429, body: { message: 'Too many requests' } },
  paymentRequired: planRefusal(429, 'PAYMENT_REQUIRED', 'Add credits to your workspace to continue'),
  cloudSubscriptionRequired: planRefusal(429, 'CLOUD_SUBSCRIPTION_REQUIRED', 'A subscription is required'),
  internal: {
    status: 500,
    body: '500 Internal Server Error\n\nServer got itself in trouble',
  },
  html: {
    status: 500,
    type: 'text/html; charset=utf-8',
    body: '<!doctype html><html><head><title>Error</title></head><body><h1>Something went wrong</h1></body></html>',
  },
  badGateway: {
    status: 502,
    type: 'text/html',
    body: '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
  },
  gatewayTimeout: {
    status: 504,
    type: 'text/html',
    body: '<html><head><title>504 Gateway Time-out</title></head><body>nginx</body></html>',
  },
  unavailable: { status: 503, body: { error: { code: 'UNAVAILABLE', message: 'Try again later' } } },
  empty: { status: 500, body: '' },
  wrongShape: { status: 200, body: [42] },
} satisfies Readonly<Record<string, Canned>>;

export type AnswerKind = keyof typeof canned;

export const answerKinds = Object.keys(canned) as [AnswerKind, ...AnswerKind[]];

function planRefusal(status: number, type: string, message: string): Canned {
  return { status, body: { error: { type, message } } };
}

export function sendCannedAnswer(
  exchange: Exchange,
  kind: AnswerKind,
  more: { readonly retryAfter?: number | undefined; readonly message?: string | undefined } = {},
): void {
  const { retryAfter, message } = more;
  const { status, body, type }: Canned = canned[kind];
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  if (typeof body === 'string') exchange.answerText(status, message ?? body, type, headers);
  else exchange.answerJson(status, message === undefined ? body : saying(body, message), headers);
}

function saying(body: unknown, message: string): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === 'message' ? message : value)),
  ) as unknown;
}
