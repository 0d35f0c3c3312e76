import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { undiciStack } from '../../src/cli/undiciStack';
import { parsePythonJson } from '../../src/core/json/boundedJson';
import type { SandboxOptions } from '../../src/sandbox/sandbox';
import { type FaultySandbox, startFaultySandbox } from './faults/faultySandbox';
import { type Loopback, loopback, type LoopbackOptions } from './loopback';
import { frameTold, type SocketTold } from './socketTold';

/** A sandbox for one test; it closes with the test. */
export async function sandboxForTest(options: SandboxOptions = {}): Promise<FaultySandbox> {
  const sandbox = await startFaultySandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A small server for one test; it closes with the test. */
export async function loopbackForTest(options: LoopbackOptions = {}): Promise<Loopback> {
  const server = await loopback(options);
  onTestFinished(() => server.close());
  return server;
}

export function answering(answer: LoopbackOptions['answer']): Promise<Loopback> {
  return loopbackForTest({ answer });
}

/** The HTTP of the command line for one test; it closes with the test. */
export function httpForTest(): ReturnType<typeof undiciStack> {
  const http = undiciStack();
  onTestFinished(() => http.close());
  return http;
}

export interface Message {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** A client's event socket that keeps everything it receives. */
export class Listener {
  readonly messages: Message[] = [];
  readonly texts: string[] = [];
  readonly frames: Buffer[] = [];
  readonly told: SocketTold[] = [];
  readonly pongs: number[] = [];
  closed = false;
  readonly #changed = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#see(data);
      else this.#hear(data.toString('utf8'));
      this.#tell();
    });
    socket.on('pong', () => this.pongs.push(Date.now()));
    socket.on('close', () => {
      this.closed = true;
      this.#tell();
    });
  }

  static async open(url: string, query: string, flags?: object): Promise<Listener> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?${query}`, { maxPayload: 512 * 2 ** 20 });
    const listener = new Listener(socket);
    onTestFinished(() => socket.terminate());
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.on('error', () => undefined);
    if (flags) socket.send(JSON.stringify({ type: 'feature_flags', data: flags }));
    return listener;
  }

  types(): string[] {
    return this.messages.map(({ type }) => type);
  }

  of(type: string): Message[] {
    return this.messages.filter((message) => message.type === type);
  }

  async until(condition: (listener: Listener) => boolean, what = 'the expected events'): Promise<void> {
    const limit = AbortSignal.timeout(30_000);
    while (!condition(this)) {
      if (limit.aborted) throw new Error(`${what} did not come; heard ${this.types().join(', ')}`);
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.#changed.delete(done);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(done, 200);
        this.#changed.add(done);
      });
    }
  }

  /** Resolves at the last message about a job: `executing` without a node. */
  untilEnded(promptId: string): Promise<void> {
    return this.until(
      ({ messages }) =>
        messages.some(
          ({ type, data }) => type === 'executing' && data['node'] === null && data['prompt_id'] === promptId,
        ),
      `the end of ${promptId}`,
    );
  }

  #hear(text: string): void {
    this.texts.push(text);
    const message = readJson(text);
    if (typeof message?.['type'] !== 'string') return;
    const data = message['data'];
    const heard = { type: message['type'], data: (data ?? {}) as Record<string, unknown> };
    this.messages.push(heard);
    this.told.push({ kind: 'message', ...heard });
  }

  #see(frame: Buffer): void {
    this.frames.push(frame);
    if (frame.byteLength < 8) return;
    const type = frame.readUInt32BE(0);
    const end = 8 + frame.readUInt32BE(4);
    const metadata =
      type === 4 && end <= frame.byteLength ? readJson(frame.toString('utf8', 8, end)) : undefined;
    this.told.push(frameTold(type, metadata));
  }

  #tell(): void {
    for (const wake of this.#changed) wake();
  }
}

/** Undefined for text that is not JSON. */
function readJson(text: string): Record<string, unknown> | undefined {
  try {
    return parsePythonJson(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

export async function submit(url: string, prompt: object, more: object = {}): Promise<string> {
  const answer = await post(`${url}/api/prompt`, { prompt, ...more });
  if (answer.status !== 200) throw new Error(`Not accepted: ${answer.status} ${answer.text}`);
  return String(answer.json['prompt_id']);
}
