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
import { CommandProblem, endingOf, readApiKey, troubleOf } from './commandProblem';
import type { Arguments } from './commandArguments';
import { MusicReport } from './musicReport';
import { startServer, type RunServer } from './commandServer';
import { type CommandContext, listenForInterruption, type Terminal } from './terminal';
import { t } from '../core/safety/localize';

export async function musicCommand(options: Arguments<'music'>, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const report = new MusicReport(terminal, options.json);
  // Closing the terminal does not mean that the user gives up what is paid for, and a stream cannot be resumed.
  const { signal, forget } = listenForInterruption(terminal, { whenClosed: 'goOn' });
  let server: RunServer | undefined;
  try {
    const key = checkedKey(options, terminal);
    server = await startServer(options.server, terminal);
    return await generate(options, server, key, context, report, signal);
  } catch (error) {
    if (signal.aborted) {
      report.say(t`Cancelled. You may still be charged for what was generated so far.`);
      return report.end('cancelled');
    }
    const code = ServerError.is(error) ? error.serverCode : undefined;
    report.trouble({ ...troubleOf(error), code });
    const saved = error instanceof TracksNotSavedError ? error.saved.tracks.length : 0;
    return report.end(endingOf(error), saved);
  } finally {
    forget();
    await server?.close();
  }
}

async function generate(
  options: Arguments<'music'>,
  server: RunServer,
  key: string | undefined,
  { http, secrets }: CommandContext,
  report: MusicReport,
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
    http: await http(),
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
      charges: !server.isSandbox,
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

/** The folder passed its test but couldn't hold everything. What was paid for is saved where there is room. */
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

/** @throws CommandProblem when the arguments can't be used */
function checkedKey(
  { prompt, duration, keyEnv, server }: Arguments<'music'>,
  terminal: Terminal,
): string | undefined {
  const problem = musicPromptProblem(prompt) ?? musicDurationProblem(duration);
  if (problem !== undefined) throw new CommandProblem(problem, t`Nothing was sent.`, 'usage');
  const key = readApiKey(keyEnv, terminal);
  // A service on this machine may need no key, such as a running sandbox.
  if (key !== undefined || server === 'sandbox' || isLoopback(server)) return key;
  throw new CommandProblem(
    t`The music service needs an API key or a token.`,
    t`Specify the environment variable that contains it with --key-env.`,
    'usage',
  );
}

/** Null if only the service knows. */
function estimatedCredits({ url, isSandbox }: RunServer, seconds: number): number | null {
  const { creditsPerSecond } = musicPriceOf(isSandbox ? sandboxMusic : url);
  return creditsPerSecond === null ? null : seconds * creditsPerSecond;
}
