import { randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isExactObject, type ExactObject } from '../../../src/core/json/exactValue';
import { type AnswerFirst, Exchange, type FileContent } from '../../../src/sandbox/http/exchange';
import { musicLines } from '../../../src/sandbox/music/musicLines';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox';
import type { SandboxServer } from '../../../src/sandbox/sandboxServer';
import { sendCannedAnswer } from './cannedAnswers';
import { FaultController, meansRoute } from './faultController';
import type { FaultSettings, MusicRefusalShape } from './faultOptions';
import { faultyMusic } from './faultyMusic';
import { climbingText, FaultySocket } from './faultySocket';
import { LateRefusals, madeUpNodeErrors } from './lateRefusals';

export interface FaultySandbox extends Sandbox {
  readonly faults: FaultController;
}

export async function startFaultySandbox(options: SandboxOptions = {}): Promise<FaultySandbox> {
  const faults = new FaultController();
  const sandbox = await startSandbox({
    ...options,
    intercept: (server) => {
      const late = new LateRefusals(server);
      breakServer(server, faults, late);
      return answerFaultily(server, faults, late);
    },
  });
  return { ...sandbox, faults };
}

type Changeable<T> = { -readonly [Name in keyof T]: T[Name] };

/** The faults that are no answers. */
function breakServer(server: Changeable<SandboxServer>, faults: FaultController, late: LateRefusals): void {
  const { sockets, storage, run, files } = server;
  const open = new Set<FaultySocket>();
  const add = sockets.add.bind(sockets);
  sockets.add = (socket, ...more) => {
    const faulty = new FaultySocket(socket, faults);
    open.add(faulty);
    socket.once('close', () => open.delete(faulty));
    const drop = faults.strike('dropSocket');
    if (drop) faulty.dropAfter(drop.afterFrames);
    add(socket, ...more);
  };
  faults.onChange((name, on) => {
    if (!on) return;
    if (name === 'dropSocket' && open.size > 0) {
      const drop = faults.strike('dropSocket');
      for (const faulty of open) faulty.dropAfter(drop?.afterFrames ?? 0);
    }
    if (name === 'loseUploads') files.forget('input');
    if (name === 'restartServer') server.restart();
  });
  server.now = () => Date.now() + (faults.look('wrongClock')?.byMs ?? 0);
  server.run = async (job, signal) => {
    const refused = late.end(job);
    if (refused) return refused;
    await untilNothingHangs(faults);
    return run(job, signal);
  };
  if (storage) {
    const sign = storage.sign.bind(storage);
    storage.sign = (file) => sign(file, Date.now() - (faults.strike('expiredAddress') ? 7_200_000 : 0));
  }
  server.musicStreams = () => faults.strike('musicStreams')?.count ?? 1;
  server.makeMusic = (plan, gone) => {
    const odd = faults.strike('musicOddLines') !== undefined;
    return faultyMusic(musicLines(plan), { broken: faults.strike('musicBreak'), odd }, gone);
  };
}

/** Waits while the fault is on and ignores every cancellation. */
async function untilNothingHangs(faults: FaultController): Promise<void> {
  if (!faults.look('hang')) return;
  await new Promise<void>((resolve) => {
    const end = faults.onChange((name, on) => {
      if (name !== 'hang' || on) return;
      end();
      resolve();
    });
  });
}

function answerFaultily(server: SandboxServer, faults: FaultController, late: LateRefusals): AnswerFirst {
  return async (exchange, answer) => {
    const { method, path } = exchange;
    breakFiles(exchange, faults);
    if (path === '/sandbox-storage') {
      await answer(exchange);
      return;
    }
    if (faults.look('wrongClock')) exchange.response.setHeader('Date', new Date(server.now()).toUTCString());
    const meant = (settings: { readonly method: string; readonly path: string }): boolean =>
      meansRoute(settings, method, path);
    const canned = faults.strike('answer', meant);
    if (canned) {
      // Reads the body first: a client that is still sending would see a broken connection instead of the answer.
      await exchange.body();
      sendCannedAnswer(exchange, canned.kind, canned);
      return;
    }
    const gateway = faults.strike('deliverLate', meant);
    if (gateway) {
      await exchange.body();
      sendCannedAnswer(exchange, 'gatewayTimeout');
      // Errors become an answer too, which nobody gets.
      setTimeout(() => void answer(unheardTwin(exchange)).catch(() => undefined), gateway.afterMs).unref();
      return;
    }
    if (faults.strike('loseAnswer', meant)) loseAnswer(exchange);
    if (path.startsWith('/proxy/') && refuseMusic(exchange, faults)) return;
    changeText(exchange, (text) => climbingText(text, faults));
    const route = path.replace(/^\/api/, '');
    if (method === 'POST' && route === '/prompt') await breakPrompt(exchange, faults, late);
    if (route === '/view') unclimb(exchange, faults);
    const id = /^\/jobs?\/([^/]+)(?:\/status)?$/.exec(route)?.[1];
    const job = method === 'GET' && id !== undefined ? server.queue.find(id) : undefined;
    if (!job) {
      await answer(exchange);
      return;
    }
    if (faults.strike('notFoundAfterSubmit')) exchange.param = () => 'nobody knows it';
    if (route.endsWith('/status')) tellRawState(exchange, faults);
    const { result } = job;
    if (result && faults.strike('lagOutputs')) job.result = { ...result, outputs: {} };
    await answer(exchange);
    if (result) job.result = result;
  };
}

/** Changes the text of an answer of any status; undefined leaves it. */
function changeText(exchange: Exchange, change: (text: string, status: number) => string | undefined): void {
  const answer = exchange.answerText.bind(exchange);
  exchange.answerText = (status, text, ...more) => answer(status, change(text, status) ?? text, ...more);
}

/** The route still does its work; its first byte drops the connection. */
function loseAnswer(exchange: Exchange): void {
  const { response } = exchange;
  response.writeHead = () => {
    exchange.drop();
    return response;
  };
}

/** The same request with an answer that is thrown away. */
function unheardTwin(exchange: Exchange): Exchange {
  const { request, params, maxBodyBytes } = exchange;
  const twin = new Exchange(request, new ServerResponse(request), params, maxBodyBytes);
  twin.body = () => exchange.body();
  return twin;
}

async function breakPrompt(exchange: Exchange, faults: FaultController, late: LateRefusals): Promise<void> {
  const isLate = faults.strike('lateValidationError') !== undefined;
  const hasErrors = faults.strike('nodeErrorsOnSuccess') !== undefined;
  if (!isLate && !hasErrors) return;
  const body = await exchange.json();
  const members: ExactObject = isExactObject(body) ? body : new Map();
  const answer = exchange.answerText.bind(exchange);
  exchange.answerText = (status, text, ...more) => {
    const told = JSON.parse(text) as { prompt_id?: string; number?: number };
    if (isLate && status === 400) {
      const id = late.accept(members, text);
      answer(200, JSON.stringify({ prompt_id: id, number: 0, node_errors: {} }), ...more);
      return;
    }
    if (isLate) late.refuse(told.prompt_id ?? randomUUID(), members);
    const errors = hasErrors ? madeUpNodeErrors(members) : {};
    answer(status, hasErrors ? JSON.stringify({ ...told, node_errors: errors }) : text, ...more);
  };
}

/** Plays one state per read, then none. */
function tellRawState(exchange: Exchange, faults: FaultController): void {
  const [state, ...more] = faults.look('rawStates')?.states ?? [];
  if (state === undefined) return;
  if (more.length === 0) faults.clear('rawStates');
  else faults.set('rawStates', { states: more });
  changeText(exchange, (text) => text.replace(/"status": "[^"]*"/, `"status": "${state}"`));
}

function unclimb({ query }: Exchange, faults: FaultController): void {
  const { prefix } = faults.look('climbingNames') ?? {};
  const name = query.get('filename');
  if (prefix !== undefined && name?.startsWith(prefix)) query.set('filename', name.slice(prefix.length));
}

function breakFiles(exchange: Exchange, faults: FaultController): void {
  const answer = exchange.answerFile.bind(exchange);
  exchange.answerFile = (content, headers) => {
    const slow = faults.strike('slowFile');
    const broken = faults.strike('brokenDownload');
    const read: FileContent['read'] = (start, end) => {
      const pieces = content.read(start, end);
      const paced = slow ? inPieces(pieces, slow) : pieces;
      return broken ? breakingOff(paced, broken.afterBytes, exchange) : paced;
    };
    return answer({ ...content, read }, headers);
  };
}

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

async function* inPieces(
  source: Pieces,
  { chunkBytes, pauseMs }: FaultSettings<'slowFile'>,
): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.byteLength; at += chunkBytes) {
      yield chunk.subarray(at, at + chunkBytes);
      await sleep(pauseMs);
    }
  }
}

async function* breakingOff(
  source: Pieces,
  bytes: number,
  { response }: Exchange,
): AsyncIterable<Uint8Array> {
  let left = bytes;
  for await (const chunk of source) {
    if (left <= 0) break;
    yield chunk.subarray(0, left);
    left -= chunk.byteLength;
  }
  // The bytes must leave the process before the connection is dropped.
  response.flushHeaders();
  await sleep(20);
  response.destroy();
}

function refuseMusic(exchange: Exchange, faults: FaultController): boolean {
  const refusal = faults.strike('musicRefusal');
  if (!refusal) {
    if (!faults.strike('musicBreak', ({ how }) => how === 'html')) return false;
    exchange.answerText(200, '<!doctype html><title>Welcome</title><p>Sign in', 'text/html');
    return true;
  }
  const { status, shape, code, message, retryAfter } = refusal;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  const answer = refusalBodies(code, message)[shape];
  if (typeof answer === 'object') exchange.answerJson(status, answer, headers);
  else exchange.answerText(status, answer, shape === 'html' ? 'text/html' : undefined, headers);
  return true;
}

function refusalBodies(code: string, message: string): Readonly<Record<MusicRefusalShape, object | string>> {
  return {
    detail: { detail: { code, message } },
    detailText: { detail: message },
    error: { error: { type: code, message } },
    errorText: { error: message },
    coded: { error: code, message },
    message: { message },
    text: message,
    html: '<html><body><h1>Something went wrong</h1></body></html>',
    empty: '',
  };
}
