import type { MusicProgress } from '../../src/core/client/music/musicTake';
import { Mp4Duration } from '../../src/core/client/music/mp4Duration';
import { ServerError } from '../../src/core/protocol/serverError';
import type { Check, Finding } from './check';
import { absent, expectThat, held } from './check';
import type { LiveServer } from './liveServer';

const path = '/proxy/sonilo/t2m/generate';
const prompt = 'A calm piano chord, held';
/** As short as possible, since it may cost money. */
const seconds = 1;

/** Music from a prompt; most servers have none. */
export const musicChecks: readonly Check[] = [
  {
    name: 'music: a prompt becomes a track, its title first',
    run: (server) =>
      whereMusicIs(async () => {
        const told: MusicProgress[] = [];
        const { tracks, creditsUsed, skippedLines } = await server
          .music()
          .client.generate({ prompt, seconds }, (progress) => told.push(progress), patience());
        const [track] = tracks;
        const title = told.at(-1)?.streams[0]?.title;
        if (track === undefined && title !== undefined && (await server.isStrict()))
          return held(`${title}, and no audio, for only titles are documented`);
        expectThat(track !== undefined, 'there is no track');
        expectThat(
          Buffer.from(track.audio.subarray(4, 8)).toString('latin1') === 'ftyp',
          'the file does not begin as MP4',
        );
        const clock = new Mp4Duration();
        clock.push(track.audio);
        expectThat((clock.seconds ?? 0) > 0, 'the file tells no length');
        expectThat(skippedLines === 0, `${skippedLines} lines were no JSON objects`);
        const titled = told.findIndex(({ streams }) => streams[0]?.title !== undefined);
        const sounding = told.findIndex(({ streams }) => (streams[0]?.bytes ?? 0) > 0);
        expectThat(track.title === undefined || titled <= sounding, 'the title came after the audio');
        const cost = creditsUsed === undefined ? 'no word about credits' : `${creditsUsed} credits`;
        return held(`${track.title ?? 'no title'}, ${clock.seconds?.toFixed(1) ?? ''} s, ${cost}`);
      }),
  },
  {
    name: 'music: what the contract refuses is refused in words',
    run: (server) =>
      whereMusicIs(async () => {
        for (const [text, duration] of [
          [' ', '1'],
          ['x'.repeat(1001), '1'],
          [prompt, '0'],
          [prompt, '361'],
        ] as const) {
          const refused = await refusalOf(server, text, duration);
          expectThat(
            refused.status === 400 || refused.status === 422,
            `${text.length} characters, ${duration} s: the status is ${refused.status ?? 'missing'}`,
          );
          expectThat(refused.serverMessage !== undefined, 'the refusal has no words that can be read');
        }
        return held();
      }),
  },
  {
    name: 'music: a cancelled generation ends with its own reason',
    run: (server) =>
      whereMusicIs(async () => {
        const abort = new AbortController();
        const reason = new DOMException('Enough.', 'AbortError');
        const ended: unknown = await server
          .music()
          .client.generate({ prompt, seconds }, () => abort.abort(reason), abort.signal)
          .catch((error: unknown) => error);
        if (ended === reason) return held();
        if (ended instanceof Error) throw ended;
        return absent('it had ended before it could be cancelled');
      }),
  },
  {
    name: 'music: a wrong key is refused',
    run: (server) =>
      whereMusicIs(async () => {
        if (!server.hasKey) return absent('no key to be wrong');
        const { status } = await refusalOf(server, prompt, String(seconds), 'comfyui-wrong-key');
        expectThat(status === 401 || status === 403, `the status is ${status ?? 'missing'}`);
        return held();
      }),
  },
];

function patience(): AbortSignal {
  return AbortSignal.timeout(300_000);
}

/** Sends a request without our own checks, and returns the refusal. */
async function refusalOf(
  server: LiveServer,
  text: string,
  duration: string,
  key?: string,
): Promise<ServerError> {
  const form = [
    { name: 'prompt', text },
    { name: 'duration', text: duration },
  ];
  const answer = server
    .music(key)
    .transport.stream({ method: 'POST', path, body: { form }, signal: patience() });
  try {
    await (await answer).body.cancel();
  } catch (error) {
    if (!ServerError.is(error) || isMissing(error)) throw error;
    return error;
  }
  throw new Error(`${text.length} characters, ${duration} s: it was taken`);
}

/** A server without music answers the path with 404, or with 405 if it only serves pages there. */
async function whereMusicIs(check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    if (!isMissing(error)) throw error;
    return absent('no music here');
  }
}

function isMissing(error: unknown): boolean {
  return ServerError.is(error) && [404, 405, 501].includes(error.status ?? 0);
}
