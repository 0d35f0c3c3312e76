import { tmpdir } from 'node:os';
import path from 'node:path';
import { isLoopback, addressOrigin } from '../core/client/address';
import { MusicClient, musicCredential } from '../core/client/music/musicClient';
import { MusicFailure } from '../core/client/music/musicFailure';
import {
  onlyTitles,
  pieceWords,
  type MusicProgress,
  type MusicResult,
  type MusicStream,
  MusicTake,
} from '../core/client/music/musicTake';
import { musicServicePrice, sandboxMusic } from '../core/client/music/musicService';
import { Transport } from '../core/client/transport';
import { checkFolder } from '../core/outputs/checkFolder';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { saveTracks, TracksNotSavedError, type MusicRun, type SavedTrack } from '../core/outputs/saveTracks';
import { musicDurationProblem, musicPromptProblem } from '../core/protocol/musicLimits';
import { ServerError } from '../core/protocol/serverError';
import { CommandProblem, commandEnding, readApiKey, commandTrouble } from './commandProblem';
import type { Arguments } from './commandArguments';
import { CommandReport, type CommandResult } from './commandReport';
import type { MusicJsonEvent } from './jsonEvents';
import { startServer } from './commandServer';
import { type CommandContext, plainTerminalLine, type Terminal } from './terminal';
import { listText, plural, t } from '../core/safety/localize';

export async function musicCommand(options: Arguments<'music'>, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const report = new MusicReport(terminal, options.json);
  // Closing the terminal does not mean that the user gives up what is paid for, and a stream cannot be resumed.
  return report.carryOut({ whenClosed: 'goOn' }, async (signal) => {
    let server: MusicServer | undefined;
    try {
      const key = checkedKey(options, terminal);
      server = await startServer(options.server, terminal);
      return await generate(options, server, key, context, report, signal);
    } catch (error) {
      if (error === signal.reason) {
        report.say(cancelledWords());
        throw error;
      }
      const code = ServerError.is(error) ? error.serverCode : undefined;
      report.trouble({ ...commandTrouble(error), code });
      const saved = error instanceof TracksNotSavedError ? error.saved.tracks.length : 0;
      return { outcome: commandEnding(error), saved };
    } finally {
      await server?.close();
    }
  });
}

async function generate(
  options: Arguments<'music'>,
  server: MusicServer,
  key: string | undefined,
  { http, secrets }: CommandContext,
  report: MusicReport,
  signal: AbortSignal,
): Promise<CommandResult> {
  const { prompt, duration, out } = options;
  const asked = { prompt, duration, server: server.isSandbox ? t`the built-in sandbox` : server.url, out };
  const { creditsPerSecond } = musicServicePrice(server.isSandbox ? sandboxMusic : server.url);
  const estimatedCredits = creditsPerSecond === null ? null : duration * creditsPerSecond;
  report.start({ event: 'start', ...asked, estimatedCredits });
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
    const run: MusicRun = {
      ...{ prompt: secrets.hide(prompt), seconds: duration, server: addressOrigin(server.url) },
      ...{ startedAt, endedAt: Date.now(), charges: !server.isSandbox, result, complete },
    };
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
  const received = new MusicTake();
  try {
    const result = await new MusicClient(transport).generate(
      { prompt, seconds: duration },
      (progress) => report.progress(progress, duration),
      signal,
      (event) => received.add(event),
    );
    if (result.skippedLines > 0) report.say(t`Invalid lines skipped: ${result.skippedLines}`);
    if (result.tracks.length > 0) return { outcome: 'done', saved: await save(result, true) };
    report.say(onlyTitles());
    if (result.creditsUsed !== undefined && !server.isSandbox) report.credits(result.creditsUsed);
    return { outcome: 'done' };
  } catch (error) {
    if (error === signal.reason && options.keepPartial && received.hasAudio) {
      report.say(cancelledWords());
      return { outcome: 'cancelled', saved: await save(received.result(undefined), false) };
    }
    if (!MusicFailure.is(error)) throw error;
    report.trouble(error);
    if (error.partial === undefined) return { outcome: 'failed' };
    if (options.keepPartial) return { outcome: 'failed', saved: await save(error.partial, false) };
    report.say(t`The partial track wasn't saved. To save it, use --keep-partial.`);
    return { outcome: 'failed' };
  }
}

const cancelledWords = () => t`Cancelled. You may still be charged for what was generated so far.`;

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

type MusicServer = Awaited<ReturnType<typeof startServer>>;

class MusicReport extends CommandReport<MusicJsonEvent> {
  readonly #before = new Map<number, MusicStream>();

  start(event: Extract<MusicJsonEvent, { event: 'start' }>): void {
    this.emit(event);
    const price = musicPriceWords(event.estimatedCredits);
    this.say(t`Generating ${event.duration} s of music on ${event.server} (${price})`);
  }

  progress({ streams, expectedStreams }: MusicProgress, asked: number): void {
    for (const stream of streams) {
      const { streamIndex, title, tags, summary, bytes } = stream;
      const before = this.#before.get(streamIndex);
      this.#before.set(streamIndex, stream);
      if (before?.title !== title || before?.tags !== tags || before.summary !== summary) {
        this.emit({ event: 'title', ...trackIndexes(stream), title, tags, summary });
        if (title !== undefined || tags.length > 0) {
          const piece = expectedStreams > 1 || streams.length > 1 ? pieceWords(stream) : '';
          const list = tags.length > 0 ? ` (${listText(tags.map((tag) => plainTerminalLine(tag)))})` : '';
          const words = `${title === undefined ? t`untitled` : plainTerminalLine(title)}${list}`;
          this.say(piece === '' ? t`Title: ${words}` : t`Title of ${piece}: ${words}`);
        }
        if (summary !== undefined && before?.summary !== summary) this.say(plainTerminalLine(summary));
      }
      const seconds = stream.seconds ?? 0;
      if (bytes !== (before?.bytes ?? 0))
        this.emit({ event: 'progress', stream: streamIndex, seconds, bytes });
    }
    const least = Math.min(...streams.map(({ seconds }) => seconds ?? 0));
    if (Number.isFinite(least)) this.display.passing(t`Received ${Math.floor(least)} of ${asked} s`);
  }

  saved(tracks: readonly SavedTrack[], partial: boolean): void {
    const { length } = tracks;
    const whole = plural(length, t`Saved 1 track:`, t`Saved ${length} tracks:`);
    this.say(partial ? t`Saved the partial track:` : whole);
    for (const { track, location, sha256 } of tracks) {
      const { bytes, seconds, title } = track;
      const file = { path: location, bytes, sha256 };
      this.emit({ event: 'saved', ...file, ...trackIndexes(track), seconds, title, partial });
      this.print(location);
    }
  }

  credits(used: number): void {
    this.emit({ event: 'credits', used });
    this.say(t`${used} credits used, according to the service`);
  }
}

function trackIndexes({ streamIndex: stream, promptIndex, copyIndex }: MusicStream) {
  return { stream, promptIndex, copyIndex };
}

function musicPriceWords(credits: number | null): string {
  if (credits === null) return t`price unknown`;
  return credits === 0 ? t`free of charge` : t`about ${credits.toFixed(1)} credits`;
}
