import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { musicDurationProblem, musicPrice, musicPromptProblem } from '../../core/protocol/musicLimits';
import type { FaultSettings } from '../faults/faultOptions';
import type { Exchange } from '../http/exchange';
import { post, type Route } from './router';
import type { SandboxServer } from '../sandboxServer';
import type { MusicRefusalShape } from '../faults/musicFaults';
import { musicSteps, type MusicPlan, type MusicStep } from '../music/musicLines';

/** Makes music from a prompt (protocol 5), in every dialect of the sandbox. */
export const musicRoutes: readonly Route[] = [post('/proxy/sonilo/t2m/generate', generate, 'bare')];

/** How long an answer takes at human speed, in ms. */
const watchedTime = 3_500;

async function generate(exchange: Exchange, server: SandboxServer): Promise<void> {
  const asked = await readRequest(exchange);
  const refusal = server.faults.strike('musicRefusal');
  if (refusal) {
    refuse(exchange, refusal);
    return;
  }
  if (!mayGenerate(exchange, server)) {
    exchange.answerJson(401, { detail: { code: 'unauthorized', message: 'Missing or invalid credentials' } });
    return;
  }
  const { prompt, seconds } = asked;
  const problem = musicPromptProblem(prompt) ?? musicDurationProblem(seconds);
  if (problem !== undefined) {
    exchange.answerJson(400, { detail: { code: 'invalid_request', message: problem } });
    return;
  }
  const broken = server.faults.strike('musicBreak');
  if (broken?.how === 'html') {
    exchange.answerText(200, '<!doctype html><title>Welcome</title><p>Sign in', 'text/html');
    return;
  }
  const odd = server.faults.strike('musicOddLines') !== undefined;
  const streams = server.faults.strike('musicStreams')?.count ?? 1;
  const titlesOnly = server.dialect === 'documented';
  await send(
    exchange.response,
    { prompt, seconds, streams, broken, odd, titlesOnly },
    server.timing === 'human',
  );
}

async function readRequest(
  exchange: Exchange,
): Promise<{ readonly prompt: string; readonly seconds: number }> {
  // Clients whose form contains no file send it as `x-www-form-urlencoded`; the service seems to accept it too
  // (protocol 5.1).
  const form = await exchange.form();
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const duration = text('duration').trim();
  return { prompt: text('prompt'), seconds: /^\d+$/.test(duration) ? Number(duration) : NaN };
}

function mayGenerate(exchange: Exchange, { apiKey, dialect }: SandboxServer): boolean {
  if (apiKey === undefined) return true;
  const hasKey = dialect !== 'documented' && exchange.header('x-api-key') === apiKey;
  return hasKey || exchange.header('authorization') === `Bearer ${apiKey}`;
}

function refuse(exchange: Exchange, fault: FaultSettings<'musicRefusal'>): void {
  const { status, shape, code, message, retryAfter } = fault;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  const answer = refusalBodies(code, message)[shape];
  if (typeof answer === 'object') exchange.answerJson(status, answer, headers);
  else exchange.answerText(status, answer, shape === 'html' ? 'text/html' : undefined, headers);
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

async function send(response: ServerResponse, plan: MusicPlan, watched: boolean): Promise<void> {
  const credits = musicPrice.creditsPerSecond * plan.seconds * plan.streams;
  response.writeHead(200, {
    'Content-Type': 'application/x-ndjson',
    ...(plan.titlesOnly ? {} : { 'X-Comfy-Credits-Used': String(Number(credits.toFixed(4))) }),
  });
  // A client that disconnects ends the work.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const steps = [...musicSteps(plan)];
  const pause = watched ? watchedTime / steps.length : 0;
  try {
    for (const step of steps) {
      if (pause > 0) await delay(pause, undefined, { signal: gone.signal });
      await take(response, step, plan.odd, gone.signal);
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

async function take(
  response: ServerResponse,
  step: MusicStep,
  odd: boolean,
  gone: AbortSignal,
): Promise<void> {
  switch (step.kind) {
    case 'line':
      for (const piece of odd ? crumbs(step.text) : [Buffer.from(step.text)]) {
        gone.throwIfAborted();
        if (!response.write(piece)) await once(response, 'drain', { signal: gone });
      }
      return;
    case 'end':
      response.end();
      return;
    case 'drop':
      // The written bytes have to arrive first: without any, a client would see a different failure.
      await new Promise((resolve) => setImmediate(resolve));
      response.destroy();
      return;
    case 'stall':
      await once(gone, 'abort');
      return;
  }
}

/**
 * Splits into pieces of one to seven bytes, so that multi-byte characters are split too; drops the end of the last
 * line.
 */
function crumbs(text: string): Buffer[] {
  const bytes = Buffer.from(text === '{"type":"complete"}\n' ? text.trimEnd() : text);
  // Audio lines are long: a few small pieces at their start are enough.
  const crumbled = Math.min(bytes.length, 200);
  const pieces: Buffer[] = [];
  for (let at = 0, size = 1; at < crumbled; at += size, size = (size % 7) + 1)
    pieces.push(bytes.subarray(at, Math.min(at + size, crumbled)));
  return bytes.length > crumbled ? [...pieces, bytes.subarray(crumbled)] : pieces;
}
