import type { Sandbox } from '../../src/sandbox/sandbox';
import { Listener } from './sandboxFixture';
import { type RawAnswer, rawRequest } from './rawRequest';
import { frameTold, type SocketTold } from './socketTold';
import type { TranscriptEvent, TranscriptHttp } from './transcript';
import { uploadForm } from './transcriptUploads';

export interface ReplayedRequest {
  readonly recorded: TranscriptHttp;
  readonly answer: RawAnswer;
}

export interface Replay {
  readonly requests: readonly ReplayedRequest[];
  readonly told: readonly SocketTold[];
  readonly recordedTold: readonly SocketTold[];
  /** Recorded prompt id to that of the replay, in order of submission. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Sends the requests of a recording in order, and waits at the same places: a request is sent once the sandbox has
 * reported about each job what the real server had reported by then.
 */
export async function replayTranscript(
  sandbox: Sandbox,
  events: readonly TranscriptEvent[],
): Promise<Replay> {
  const requests: ReplayedRequest[] = [];
  const recordedTold: SocketTold[] = [];
  const ids = new Map<string, string>();
  let listener: Listener | undefined;
  for (const event of events) {
    switch (event.ev) {
      case 'ws-open':
        listener = await Listener.open(sandbox.url, `clientId=${event.clientId}`);
        await listener.until(({ messages }) => messages.length > 0);
        break;
      case 'ws-send':
        listener?.socket.send(JSON.stringify(event.msg));
        break;
      case 'ws':
        recordedTold.push({ kind: 'message', type: event.msg.type, data: event.msg.data });
        await listener?.until(
          (heard) => hasSaid(heard, event.msg, ids),
          JSON.stringify(event.msg).slice(0, 120),
        );
        break;
      case 'ws-bin':
        recordedTold.push(frameTold(event.type, event.metadata));
        break;
      case 'http': {
        const answer = await resend(sandbox, event, ids);
        requests.push({ recorded: event, answer });
        const mine = newId(answer);
        const theirs = idIn(event.body);
        if (mine !== undefined && theirs !== undefined) ids.set(theirs, mine);
        break;
      }
      default:
        break;
    }
  }
  const told = listener?.told ?? [];
  listener?.socket.terminate();
  return { requests, told, recordedTold, ids };
}

/** Waits only for the main events of a job; the rest is compared. */
function hasSaid(
  listener: Listener,
  recorded: { readonly type: string; readonly data: Record<string, unknown> },
  ids: ReadonlyMap<string, string>,
): boolean {
  const waitedFor = [
    'executing',
    'execution_start',
    'execution_cached',
    'execution_success',
    'execution_error',
  ];
  if (![...waitedFor, 'execution_interrupted'].includes(recorded.type)) return true;
  const id = ids.get(String(recorded.data['prompt_id']));
  if (id === undefined) return true;
  const ofJob = listener.messages.filter(({ data }) => data['prompt_id'] === id);
  const isOver = ofJob.some(({ type, data }) => type === 'executing' && data['node'] === null);
  return (
    isOver || ofJob.some(({ type, data }) => type === recorded.type && data['node'] === recorded.data['node'])
  );
}

function resend(
  sandbox: Sandbox,
  event: TranscriptHttp,
  ids: ReadonlyMap<string, string>,
): Promise<RawAnswer> {
  const url = `${sandbox.url}${withOwnIds(event.path, ids)}`;
  const headers = headersFor(event);
  const form = event.path.startsWith('/upload/') ? uploadForm(event.note ?? '') : undefined;
  if (form) return rawRequest(url, event.method, { ...headers, 'Content-Type': form.type }, form.body);
  return rawRequest(url, event.method, headers, bodyOf(event, ids));
}

function bodyOf(event: TranscriptHttp, ids: ReadonlyMap<string, string>): string | Buffer {
  if (event.note === '120 MiB body') return Buffer.alloc(120 * 2 ** 20, 0x20);
  if (event.request_raw !== undefined) return event.request_raw;
  return event.request === undefined ? '' : withOwnIds(event.request, ids);
}

function headersFor({ note }: TranscriptHttp): Record<string, string> {
  switch (note) {
    case 'foreign Origin':
      return { Origin: 'http://elsewhere.example' };
    case 'preflight':
      return { Origin: 'http://elsewhere.example', 'Access-Control-Request-Method': 'POST' };
    case 'foreign Host':
      return { Host: 'elsewhere.example' };
    case 'Range':
      return { Range: 'bytes=0-9' };
    default:
      return {};
  }
}

function withOwnIds(text: string, ids: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [theirs, mine] of ids) result = result.replaceAll(theirs, mine);
  return result;
}

function newId(answer: RawAnswer): string | undefined {
  if (answer.status !== 200 || answer.type !== 'application/json') return undefined;
  try {
    return idIn(JSON.parse(answer.body.toString('utf8')));
  } catch {
    return undefined;
  }
}

function idIn(body: unknown): string | undefined {
  const id = typeof body === 'object' && body !== null && 'prompt_id' in body ? body.prompt_id : undefined;
  return typeof id === 'string' ? id : undefined;
}
