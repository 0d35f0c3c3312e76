import { tmpdir } from 'node:os';
import path from 'node:path';
import { isLoopback, originOf } from '../core/client/address';
import { MusicClient, musicCredential } from '../core/client/music/musicClient';
import { MusicFailure } from '../core/client/music/musicFailure';
import { onlyTitles, type MusicResult } from '../core/client/music/musicTake';
import { musicPriceOf, sandboxMusic } from '../core/client/music/musicService';
import { Transport } from '../core/client/transport';
import { checkFolder } from '../core/outputs/checkFolder';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { saveTracks, TracksNotSavedError, type MusicRun } from '../core/outputs/saveTracks';
import { musicDurationProblem, musicPromptProblem } from '../core/protocol/musicLimits';
import { ServerError } from '../core/protocol/serverError';
import { Secrets } from '../core/safety/secrets';
import { apiKey, keyNotSet } from './apiKey';
import type { Arguments } from './commandArguments';
import { MusicReport } from './musicReport';
import type { ClosableStack } from './closableStack';
import { troubleOf } from './runWords';
import { startSandboxServer } from './sandboxCommand';
import { exitCodes, type Terminal } from './terminal';
import { t } from '../core/safety/localize';

interface MusicServer {
  readonly url: string;
  readonly isSandbox: boolean;
  close(): Promise<void>;
}

/** Makes music from a prompt and saves it; returns the exit code. */
export async function musicCommand(
  options: Arguments<'music'>,
  terminal: Terminal,
  http: ClosableStack,
  secrets = new Secrets(),
): Promise<number> {
  const report = new MusicReport(terminal, options.json);
  const abort = new AbortController();
  const forget = terminal.onInterrupt((how) => {
    // Closing the terminal does not mean that the user gives up what is paid for, and a stream cannot be resumed.
    if (how === 'hangup') return;
    if (abort.signal.aborted) terminal.exit(exitCodes.cancelled);
    abort.abort(new DOMException('The music was cancelled.', 'AbortError'));
  });
  let server: MusicServer | undefined;
  try {
    const problem = inputProblem(options, terminal);
    if (problem !== undefined) {
      report.trouble(problem);
      return report.end('usage');
    }
    server = await serverOf(options.server, terminal);
    const key = apiKey(options.keyEnv, terminal);
    if (key !== undefined) secrets.add(key);
    return await generate(options, server, key, secrets, report, http, abort.signal);
  } catch (error) {
    if (abort.signal.aborted) {
      report.say(t`Cancelled. You may still be charged for what was generated so far.`);
      return report.end('cancelled');
    }
    const code = ServerError.is(error) ? error.serverCode : undefined;
    report.trouble({ ...troubleOf(error), code });
    const saved = error instanceof TracksNotSavedError ? error.saved.tracks.length : 0;
    return report.end('failed', saved);
  } finally {
    forget();
    await server?.close();
    await http.close();
  }
}

async function generate(
  options: Arguments<'music'>,
  server: MusicServer,
  key: string | undefined,
  secrets: Secrets,
  report: MusicReport,
  http: ClosableStack,
  signal: AbortSignal,
): Promise<number> {
  const { prompt, duration, out } = options;
  report.start({
    event: 'start',
    prompt,
    duration,
    server: server.isSandbox ? t`the built-in sandbox` : server.url,
    out,
    estimatedCredits: estimatedCredits(server, duration),
  });
  const transport = new Transport({
    baseUrl: server.url,
    http,
    secrets,
    // The sandbox never gets a real key.
    credential:
      key === undefined || server.isSandbox ? undefined : () => Promise.resolve(musicCredential(key)),
  });
  const folder = new NodeFolder(out);
  await checkFolder(folder);
  const startedAt = Date.now();
  const save = async (result: MusicResult, complete: boolean): Promise<number> => {
    const asked = {
      prompt: secrets.hide(prompt),
      seconds: duration,
      server: originOf(server.url),
      startedAt,
      endedAt: Date.now(),
    };
    const run: MusicRun = { ...asked, result, complete };
    try {
      const { tracks } = await saveTracks(run, folder);
      report.saved(tracks, !complete);
      return tracks.length;
    } catch (error) {
      if (!(error instanceof TracksNotSavedError)) throw error;
      if (error.saved.tracks.length > 0) report.saved(error.saved.tracks, !complete);
      throw await savedElsewhere(run, error, report);
    } finally {
      if (result.creditsUsed !== undefined && !server.isSandbox) report.credits(result.creditsUsed);
    }
  };
  try {
    const result = await new MusicClient(transport).generate(
      { prompt, seconds: duration },
      (progress) => report.progress(progress, duration),
      signal,
    );
    if (result.skippedLines > 0) report.say(t`Invalid lines skipped: ${result.skippedLines}`);
    if (result.tracks.length > 0) return report.end('done', await save(result, true));
    report.say(onlyTitles());
    if (result.creditsUsed !== undefined && !server.isSandbox) report.credits(result.creditsUsed);
    return report.end('done');
  } catch (error) {
    if (!MusicFailure.is(error)) throw error;
    report.trouble(error);
    if (error.partial === undefined) return report.end('failed');
    if (options.keepPartial) return report.end('failed', await save(error.partial, false));
    report.say(t`The partial track wasn't saved. To save it, use --keep-partial.`);
    return report.end('failed');
  }
}

/**
 * The folder was tested before, but could not hold everything: the music was paid for, so save it where there is
 * room.
 */
async function savedElsewhere(
  run: MusicRun,
  error: TracksNotSavedError,
  report: MusicReport,
): Promise<TracksNotSavedError> {
  const elsewhere = path.join(tmpdir(), 'comfy-deck-music');
  const earlier = error.saved.tracks;
  try {
    const { tracks } = await saveTracks(run, new NodeFolder(elsewhere), earlier);
    const rest = tracks.filter((track) => !earlier.includes(track));
    if (rest.length === 0) return error;
    report.saved(rest, !run.complete);
    report.say(
      t`The output folder couldn't be used, so the music is in a temporary folder. Move it before it's deleted.`,
    );
    return new TracksNotSavedError({ tracks }, error);
  } catch {
    return error;
  }
}

function inputProblem(options: Arguments<'music'>, terminal: Terminal) {
  const problem = musicPromptProblem(options.prompt) ?? musicDurationProblem(options.duration);
  if (problem !== undefined) return { message: problem, nextAction: t`Nothing was sent.` };
  const { keyEnv, server } = options;
  if (apiKey(options.keyEnv, terminal) !== undefined) return undefined;
  if (keyEnv !== undefined) {
    return {
      ...keyNotSet(keyEnv),
      nextAction: t`Set the variable to your API key or token, or specify another one.`,
    };
  }
  // A service on this machine may need no key, such as a running sandbox.
  if (server === 'sandbox' || isLoopback(server)) return undefined;
  return {
    message: t`The music service needs an API key or a token.`,
    nextAction: t`Specify the environment variable that contains it with --key-env.`,
  };
}

async function serverOf(server: string, { columns }: Terminal): Promise<MusicServer> {
  if (server !== 'sandbox') return { url: server, isSandbox: false, close: () => Promise.resolve() };
  // At human speed only if a person is watching.
  const sandbox = await startSandboxServer({ timing: columns === undefined ? 'fast' : 'human' });
  return { url: sandbox.url, isSandbox: true, close: () => sandbox.close() };
}

/** The approximate cost of the music; null if only the service knows. */
function estimatedCredits({ url, isSandbox }: MusicServer, seconds: number): number | null {
  const { creditsPerSecond } = musicPriceOf(isSandbox ? sandboxMusic : url);
  return creditsPerSecond === null ? null : seconds * creditsPerSecond;
}
