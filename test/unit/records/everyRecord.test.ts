import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getLanguageService, TextDocument, type JSONSchema } from 'vscode-json-languageservice';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { saveTracks, type MusicRun } from '../../../src/core/outputs/saveTracks';
import { writeWhole } from '../../../src/core/outputs/writeWhole';
import { findRun } from '../../../src/core/records/findRun';
import { prunableRuns } from '../../../src/core/records/pruneRuns';
import { recordNamed, recordsIn } from '../../../src/core/records/recordFile';
import { runPage } from '../../../src/core/records/runPage';
import { type RunRecord, writeRunRecord } from '../../../src/core/records/runRecord';
import type { Skipped } from '../../../src/core/json/boundedJson';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunIndex } from '../../../src/core/runLife/runIndex';
import { RunStore } from '../../../src/core/runLife/runStore';
import { CliWorld } from '../cli/cliWorld';
import { withoutNetwork } from '../cli/withoutNetwork';
import { savedRun } from '../gallery/galleryRecords';

const states: readonly RunRecord['state'][] = [
  ...(['sending', 'submitted', 'saving', 'incomplete', 'saved'] as const),
  ...(['failed', 'cancelled', 'lost', 'outputsUnknown'] as const),
];
const audio = new TextEncoder().encode('music');
const music: MusicRun = {
  ...{
    prompt: 'slow piano',
    seconds: 30,
    complete: true,
    charges: true,
    server: 'https://music.example.org',
  },
  ...{ startedAt: Date.UTC(2026, 0, 2, 3, 4, 5), endedAt: Date.UTC(2026, 0, 2, 3, 5, 5) },
  result: {
    tracks: [{ streamIndex: 0, title: 'Slow Tide', tags: ['calm', 'night'], bytes: 5, audio, seconds: 30 }],
    creditsUsed: 15.8,
    skippedLines: 0,
  },
};

type Writer = (folder: NodeFolder) => Promise<unknown>;

/** Everything that writes a record, each with one output. */
const writers: readonly (readonly [string, Writer])[] = [
  ...states.map((state): readonly [string, Writer] => [
    `a run that is ${state}`,
    async (folder) => {
      const name = 'w-20260102-030405-a.png';
      await writeWhole(folder, name, Buffer.from(name));
      const record = savedRun(0, [name], { state, job: 'job' });
      await writeWhole(folder, 'w-20260102-030405.run.json', writeRunRecord(record));
    },
  ]),
  ['music', (folder) => saveTracks(music, folder)],
  ['music that broke off', (folder) => saveTracks({ ...music, complete: false }, folder)],
  ['music of the sandbox', (folder) => saveTracks({ ...music, charges: false }, folder)],
];

async function emptyFolder(): Promise<NodeFolder> {
  const root = await mkdtemp(path.join(tmpdir(), 'records-'));
  onTestFinished(() => rm(root, { recursive: true }));
  return new NodeFolder(root);
}

async function readAll(folder: NodeFolder, skip?: Skipped) {
  const runs = new RunStore(new JobStore());
  const index = new RunIndex(runs, undefined, skip);
  index.add('/', folder);
  const pages = index.read(10, 10);
  while (!(await pages.next()).done);
  return { index, runs: runs.runs };
}

describe.each(writers)('the record of %s', (_, write) => {
  /** Its name and that of its output. */
  async function written() {
    const folder = await emptyFolder();
    await write(folder);
    const names = await folder.list();
    const named = (isRecord: boolean): string =>
      names.find((name) => name.endsWith('.run.json') === isRecord) ?? '';
    return { folder, record: named(true), output: named(false) };
  }

  it('is read by everything that lists or shows records', async () => {
    const { folder, record, output } = await written();
    const skipped: string[] = [];
    const skip = ({ message }: Error): unknown => skipped.push(message);
    const listed: string[] = [];
    for await (const { name } of recordsIn(folder, { skipped: skip })) listed.push(name);
    for await (const { name } of recordsIn(folder, { newest: 10 })) listed.push(name);
    for await (const { name } of recordsIn(folder, { onUnreadable: (name) => expect.fail(name) }))
      listed.push(name);
    listed.push((await recordNamed(folder, record, skip))?.name ?? '');
    listed.push((await findRun(folder, output, []))?.name ?? '');
    expect(listed).toEqual([record, record, record, record, record]);
    const { index, runs } = await readAll(folder, skip);
    expect([index.unread, runs[0]?.files.map(({ name }) => name)]).toEqual([0, [output]]);
    const facts = { isFavorite: () => false, rowCounts: new Map<string, number>() };
    const { unreadable } = await prunableRuns(folder, facts, new AbortController().signal);
    expect(unreadable).toEqual([]);
    expect(skipped).toEqual([]);
  });

  it('is shown, listed and not warned of by the commands', async () => {
    const { folder, record, output } = await written();
    const place = folder.location(record);
    for (const file of [place, folder.location(output)])
      expect(await withoutNetwork('show', file)).toMatchObject({
        code: 0,
        out: expect.stringContaining(output) as string,
      });
    const world = await CliWorld.open();
    expect(await world.run('jobs', '--out', path.dirname(place))).toBe(0);
    expect(world.err).not.toContain('is not a run record');
  });

  it('fits its schema', async () => {
    const { folder, record } = await written();
    const schema = JSON.parse(await readFile('media/schemas/run-record.schema.json', 'utf8')) as JSONSchema;
    const service = getLanguageService({});
    const text = (await folder.read(record, 1_000_000)) ?? '';
    const document = TextDocument.create('file:///a.run.json', 'json', 0, text);
    expect(await service.doValidation(document, service.parseJSONDocument(document), {}, schema)).toEqual([]);
  });
});

it('music is shown with its title, prompt, tags and cost', async () => {
  const folder = await emptyFolder();
  await saveTracks(music, folder);
  for await (const { record } of recordsIn(folder)) {
    const page = runPage(record);
    expect(page).toMatchObject({ title: 'Slow Tide', noNodes: undefined, errors: [] });
    expect(page.texts).toEqual([
      { node: 'Text prompt', text: 'slow piano' },
      { node: 'Tags', text: 'calm, night' },
    ]);
    expect(page.files).toMatchObject([{ media: 'audio', node: 'Slow Tide', facts: '30 s' }]);
    expect(page.facts).toContainEqual({ name: 'Cost', text: '15.8 credits' });
  }
  const { runs } = await readAll(folder);
  const facts = { label: 'Slow Tide', credits: 15.8, search: 'slow piano\ncalm\nnight' };
  expect(runs).toMatchObject([{ facts, files: [{ kind: 'audio' }] }]);
});

it('music of the sandbox says that nothing was charged, in the file too', async () => {
  const folder = await emptyFolder();
  await saveTracks({ ...music, charges: false }, folder);
  for await (const { name, record } of recordsIn(folder)) {
    expect(runPage(record).facts).toContainEqual({ name: 'Cost', text: 'Nothing was charged (sandbox)' });
    expect(JSON.parse((await folder.read(name, 1_000_000)) ?? '')).toMatchObject({
      charged: false,
      creditsUsed: 0,
    });
  }
});
