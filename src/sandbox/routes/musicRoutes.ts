import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { musicDurationProblem, musicPrice, musicPromptProblem } from '../../core/protocol/musicLimits';
import type { Exchange } from '../http/exchange';
import { postRoute, type Route } from './router';
import type { SandboxServer } from '../sandboxServer';
import { musicLines, type MusicPlan } from '../music/musicLines';

/** In every dialect (protocol 5). */
export const musicRoutes: readonly Route[] = [postRoute('/proxy/sonilo/t2m/generate', generate, 'bare')];

/** Milliseconds of an answer at human speed. */
const watchedTime = 3_500;

async function generate(exchange: Exchange, server: SandboxServer): Promise<void> {
  const asked = await readRequest(exchange);
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
  const titlesOnly = server.dialect === 'documented';
  await send(exchange, server, { prompt, seconds, streams: server.musicStreams(), titlesOnly });
}

async function readRequest(
  exchange: Exchange,
): Promise<{ readonly prompt: string; readonly seconds: number }> {
  // Clients send a form without files as `x-www-form-urlencoded`; the service seems to accept it (protocol 5.1).
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

async function send({ response }: Exchange, server: SandboxServer, plan: MusicPlan): Promise<void> {
  const credits = musicPrice.creditsPerSecond * plan.seconds * plan.streams;
  response.writeHead(200, {
    'Content-Type': 'application/x-ndjson',
    ...(plan.titlesOnly ? {} : { 'X-Comfy-Credits-Used': String(Number(credits.toFixed(4))) }),
  });
  // A client that disconnects ends the work.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const pause = server.timing === 'human' ? watchedTime / [...musicLines(plan)].length : 0;
  try {
    for await (const piece of server.makeMusic(plan, gone.signal)) {
      if (pause > 0) await delay(pause, undefined, { signal: gone.signal });
      gone.signal.throwIfAborted();
      if (!response.write(piece)) await once(response, 'drain', { signal: gone.signal });
    }
    response.end();
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}
