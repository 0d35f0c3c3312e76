import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile, readdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MusicJsonEvent } from '../../../src/cli/jsonEvents';
import { textSeed, tuneFile } from '../../../src/sandbox/music/musicLines';
import { answering, loopbackForTest, sandboxForTest } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';

const prompt = 'calm piano / with rain';

function events(world: CliWorld): MusicJsonEvent[] {
  return world.events as unknown as MusicJsonEvent[];
}

describe('comfy-deck music', () => {
  it('uses its own sandbox unless a key is named, and saves the track with its record', async () => {
    const world = await CliWorld.open();
    expect(await world.run('music', prompt, '--duration', '3', '--out', world.path('out'))).toBe(0);
    const [audio, record] = await world.names();
    expect(audio).toMatch(/^\w+ \w+-\d{8}-\d{6}\.m4a$/);
    expect(record).toBe(audio?.replace('.m4a', '.run.json'));
    expect(world.out).toBe(`${world.path(`out/${audio}`)}\n`);
    const bytes = await readFile(world.path(`out/${audio}`));
    expect(bytes.equals(Buffer.from(tuneFile(3, textSeed(prompt))))).toBe(true);
    expect(world.err).toMatch(/Generating 3 s of music on the built-in sandbox \(free of charge\)/);
    expect(world.err).toMatch(/^Title: \w+ \w+ \(.*\)\n.*calm piano/m);
    expect(world.err).not.toMatch(/copy 1/);

    const made = JSON.parse(await readFile(world.path(`out/${record}`), 'utf8')) as Record<string, unknown>;
    const cost = { creditsUsed: 0, charged: false };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const track = { name: audio, bytes: bytes.length, sha256, streamIndex: 0, promptIndex: 0, copyIndex: 0 };
    expect(made).toMatchObject({ format: 1, kind: 'music', prompt, duration: 3, complete: true, ...cost });
    expect(made['tracks']).toMatchObject([track]);
  });

  it('reports everything as JSON, one event per line, and ends with the exit code', async () => {
    const { url, faults } = await sandboxForTest();
    faults.set('musicStreams', { count: 2 });
    const world = await CliWorld.open();
    const args = ['--duration', '4', '--server', url, '--out', world.path('out'), '--json'];
    expect(await world.run('music', prompt, ...args)).toBe(0);
    const kinds = [...new Set(events(world).map(({ event }) => event))];
    expect(kinds).toEqual(['start', 'title', 'progress', 'saved', 'credits', 'end']);
    expect(events(world)[0]).toMatchObject({ prompt, duration: 4, server: url });
    const titles = events(world).filter((event) => event.event === 'title');
    expect(titles).toMatchObject([
      { stream: 0, promptIndex: 0, copyIndex: 0 },
      { stream: 1, promptIndex: 0, copyIndex: 1 },
    ]);
    expect(world.err).toMatch(/^Title of prompt 1, copy 2: \w+/m);
    const saved = events(world).filter((event) => event.event === 'saved');
    expect(saved.map(({ stream, copyIndex, partial }) => [stream, copyIndex, partial])).toEqual([
      [0, 0, false],
      [1, 1, false],
    ]);
    expect(events(world).at(-1)).toEqual({ event: 'end', outcome: 'done', saved: 2, exitCode: 0 });
    expect((await world.names()).filter((name) => /-[12]\.m4a$/.test(name))).toHaveLength(2);
  });

  it('sends nothing without a key, with an empty key, or with invalid arguments', async () => {
    const { url, seen } = await sandboxForTest();
    const world = await CliWorld.open({ env: { EMPTY: ' ' } });
    expect(await world.run('music', prompt, '--server', 'comfy')).toBe(2);
    expect(world.err).toMatch(/needs an API key or a token\. Specify the environment variable/);
    expect(await world.run('music', prompt, '--server', url, '--key-env', 'EMPTY')).toBe(2);
    expect(await world.run('music', ' ', '--server', url)).toBe(2);
    expect(await world.run('music', 'x'.repeat(1001), '--server', url)).toBe(2);
    for (const duration of ['0', '361', '1.5', 'long']) {
      expect(await world.run('music', prompt, '--duration', duration, '--server', url)).toBe(2);
    }
    expect(await world.run('music')).toBe(2);
    expect(await world.run('music', 'calm', 'piano')).toBe(2);
    expect(seen.requests).toEqual([]);
  });

  it('keeps the received part of a broken stream only on request, and fails either way', async () => {
    const { url, faults } = await sandboxForTest();
    faults.set('musicBreak', { how: 'end', afterChunks: 4 });
    const world = await CliWorld.open();
    const args = ['--duration', '30', '--server', url, '--out', world.path('out')];
    expect(await world.run('music', prompt, ...args)).toBe(1);
    expect(await world.names()).toEqual([]);
    expect(world.err).toMatch(/before it was complete/);
    expect(world.err).toMatch(/--keep-partial/);
    expect(await world.run('music', prompt, ...args, '--keep-partial')).toBe(1);
    const [audio, record] = await world.names();
    expect(audio).toMatch(/-partial\.m4a$/);
    expect(JSON.parse(await readFile(world.path(`out/${record}`), 'utf8'))).toMatchObject({
      complete: false,
    });
  });

  it.each([[], ['--keep-partial']])('is cancelled at once by Ctrl-C, also with “%s”', async (...more) => {
    const { url, faults } = await sandboxForTest();
    faults.set('musicBreak', { how: 'stall' });
    const world = await CliWorld.open();
    const run = world.run('music', prompt, '--server', url, '--out', world.path('out'), '--json', ...more);
    await world.said('"event":"progress"');
    world.pressCtrlC();
    expect(await run).toBe(130);
    // What has arrived is kept on request only.
    const saved = more.length;
    expect(events(world).at(-1)).toEqual({ event: 'end', outcome: 'cancelled', saved, exitCode: 130 });
    expect(await world.names()).toHaveLength(2 * saved);
  });

  it('continues when its terminal is closed, and saves what was paid for', async () => {
    const { url } = await sandboxForTest({ timing: 'human' });
    const world = await CliWorld.open();
    const run = world.run('music', prompt, '--server', url, '--out', world.path('out'), '--json');
    await world.said('"event":"progress"');
    world.hangUp();
    expect(await run).toBe(0);
    expect(await world.names()).toHaveLength(2);
  });

  it.each([false, true])('saves what was paid for elsewhere, also after Ctrl-C: %s', async (isLeft) => {
    const world = await CliWorld.open();
    for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, world.path('temporary'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const service = await loopbackForTest({
      answer: (_, response) => {
        rmSync(world.path('out'), { recursive: true });
        writeFileSync(world.path('out'), '');
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
        response.write('{"type":"audio_chunk","data":"AAAA"}\n');
        if (!isLeft) response.end('{"type":"complete"}\n');
      },
    });
    const args = ['--duration', '3', '--json', '--keep-partial', '--out', world.path('out')];
    const run = world.run('music', prompt, '--server', service.url, ...args);
    if (isLeft) void world.said('"event":"progress"').then(() => world.pressCtrlC());
    expect(await run).toBe(1);
    const [audio] = await world.names('temporary/comfy-deck-music');
    expect(audio).toMatch(/\.m4a$/);
    expect(world.out).toContain(audio);
    expect(world.err).toMatch(/in a temporary folder\. Move it before it's deleted/);
    expect(world.err).toMatch(/Specify a folder you can write to with --out/);
  });

  it('overwrites nothing, and says if the output folder is not a folder', async () => {
    const world = await CliWorld.open();
    await mkdir(world.path('out'));
    for (let time = 0; time < 2; time += 1)
      expect(await world.run('music', prompt, '--duration', '1', '--out', world.path('out'))).toBe(0);
    expect((await world.names()).filter((name) => name.endsWith('.m4a'))).toHaveLength(2);
    const { url, seen } = await sandboxForTest();
    await writeFile(world.path('file'), '');
    const nowhere = ['--duration', '1', '--server', url, '--out', world.path('file')];
    expect(await world.run('music', prompt, ...nowhere)).toBe(1);
    expect(world.err).toMatch(/output folder/);
    expect(seen.requests, 'what costs is not asked for before there is a place for it').toEqual([]);
  });
});

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const audio = line({ type: 'audio_chunk', data: Buffer.from('some audio').toString('base64') });
const complete = line({ type: 'complete' });
const evil =
  '\u001b]0;x\u0007\u001b[2J[click](command:workbench.action.terminal.new) $(zap) \u202eexe.\u0000\r::error::x\n##[x]';
const title = (text: unknown): string => line({ type: 'title', title: text });
/** Characters that a terminal acts on, except line breaks. */
const acting = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u;

const saved = /^Saved 1 track:$/m;
const invalid = /sent an invalid response/;

/** What a service may send, whether it still counts as music, and the message about it. */
const streams: Readonly<Record<string, readonly [sent: string, code: number, said: RegExp]>> = {
  'words that act on a terminal': [
    line({ type: 'title', title: evil, display_tags: [evil], summary: evil }) + audio + complete,
    0,
    saved,
  ],
  'an error that acts on a terminal': [
    audio + line({ type: 'error', code: evil, message: evil }),
    1,
    /The music service failed/,
  ],
  'a million lines that say nothing': [audio + '{}\n'.repeat(1_000_000) + complete, 1, invalid],
  'JSON nested without measure': [
    `{"type":"title","title":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n${audio}${complete}`,
    0,
    saved,
  ],
  'members that objects have by nature': [
    `{"__proto__":{"type":"complete"},"constructor":1}\n{"type":"__proto__"}\n${audio}${complete}`,
    0,
    saved,
  ],
};

describe('a hostile music service', { timeout: 120_000 }, () => {
  async function run(sent: string): Promise<{ world: CliWorld; code: number; names: string[] }> {
    const server = await answering((_arrival, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).end(sent);
    });
    const world = await CliWorld.open();
    const args = ['--duration', '3', '--server', server.url, '--out', world.path('out'), '--keep-partial'];
    const code = await world.run('music', 'calm', ...args);
    return { world, code, names: await world.names() };
  }

  it.each(Object.entries(streams))('sends %s', async (_name, [sent, code, said]) => {
    const { world, code: ended, names } = await run(sent);
    expect(ended).toBe(code);
    expect(world.err).toMatch(said);
    expect(acting.test(world.out + world.err), JSON.stringify(world.err)).toBe(false);
    // Nothing unfinished, and a record for every file.
    expect(names.map((name) => name.replace(/^.*(?=\.(?:m4a|run\.json)$)/, ''))).toEqual(
      names.length === 0 ? [] : ['.m4a', '.run.json'],
    );
    for (const name of names.filter((each) => each.endsWith('.json')))
      expect(JSON.parse(await readFile(world.path(`out/${name}`), 'utf8'))).toMatchObject({ kind: 'music' });
  });

  const names = ['../../climb', 'NUL.m4a', 'a\0b', '.bashrc', '\ud800', 'x.run.json'];
  it.each(names)('names its music %j: the file stays in its folder', async (name) => {
    const { world, code, names } = await run(title(name) + audio + complete);
    expect(code).toBe(0);
    expect(names).toHaveLength(2);
    for (const each of names) expect(each).toMatch(/^[^./\\][^/\\]*-\d{8}-\d{6}\.(m4a|run\.json)$/);
    expect(await readdir(world.folder)).toEqual(['out']);
  });
});
