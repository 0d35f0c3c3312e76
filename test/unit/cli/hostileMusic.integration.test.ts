import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { answering } from '../../support/loopback';
import { CliWorld } from './cliWorld';

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
