import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import type { OutputSource } from '../../../src/core/outputs/downloadOutput';
import { RecordFile } from '../../../src/core/records/recordFile';
import { saveRunOutputs } from '../../../src/core/runLife/saveOutputs';
import { saveAlone } from '../../support/saveAlone';
import { OutputsNotSavedError } from '../../../src/core/runLife/outputsNotSaved';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import type { ViewAnswer } from '../../../src/core/client/view';
import { ServerError } from '../../../src/core/protocol/serverError';
import { storedElsewhere } from '../jobs/observations';
import { MemoryFolder } from '../outputs/memoryFolder';
import { unchanged } from '../../support/unchanged';

const endedAt = new Date(2026, 0, 2, 3, 4, 5).getTime();
const prefix = 'portrait-20260102-030405';
const timing = { waits: [1, 1, 1] };

function output(filename: string, more: Partial<OutputFile> = {}): OutputFile {
  return { filename, subfolder: '', area: 'output', nodeId: '9', media: 'image', ...more };
}

function job(outputs: readonly OutputFile[], more: Partial<Job> = {}): Job {
  const seeds = { '3.seed': '18446744073709551615' };
  const origin = { label: 'portrait.json', nodeNames: { 9: 'Save Image' }, seeds };
  return { ...storedElsewhere('completed', 'job-1'), origin, endedAt, outputs, ...more };
}

type View = (file: OutputFile, offset: number, signal?: AbortSignal) => Promise<ViewAnswer> | ViewAnswer;

/** A source that records the requested offsets. */
function source(view: View): OutputSource & { asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    view: async (file, { offset = 0, signal }) => {
      asked.push(offset);
      return view(file, offset, signal);
    },
  };
}

function whole(text: string): ViewAnswer {
  return { body: stream(text), size: text.length, resumable: true };
}

/** Sends the chunks, then ends normally, or with an error. */
function stream(text: string, error?: Error): ReadableStream<Uint8Array> {
  const chunks = text.match(/.{1,4}/gs) ?? [];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) controller.enqueue(Buffer.from(chunk));
      else if (error) controller.error(error);
      else controller.close();
    },
  });
}

const recordIn = (folder: MemoryFolder): unknown =>
  JSON.parse(Buffer.from(folder.files.get(`${prefix}.run.json`) ?? '').toString());
const signal = new AbortController().signal;
const record = { promptText: '{"3":{}}', hide: unchanged };
const save = (
  request: Omit<Parameters<typeof saveAlone>[0], 'record' | 'signal'> & { readonly signal?: AbortSignal },
) => saveAlone({ record, signal, ...request });

describe('saveOutputs', () => {
  it('names files after workflow and time, hashes them and writes the record next to them', async () => {
    const folder = new MemoryFolder();
    const files = [output('ComfyUI_00001_.png'), output('b.png', { subfolder: 'sub' })];
    const saved = await save({ job: job(files), client: source(() => whole('picture')), folder });
    const sha256 = createHash('sha256').update('picture').digest('hex');
    const [first, second] = [`${prefix}-ComfyUI_00001_.png`, `${prefix}-b.png`];
    expect(saved).toEqual([
      { file: files[0], name: first, location: folder.location(first), bytes: 7, sha256 },
      { file: files[1], name: second, location: folder.location(second), bytes: 7, sha256 },
    ]);
    expect(folder.names).toEqual([first, second, `${prefix}.run.json`]);
    expect(recordIn(folder)).toMatchObject({
      format: 3,
      state: 'saved',
      job: 'job-1',
      label: 'portrait.json',
      prompt: { 3: {} },
      seeds: { '3.seed': '18446744073709551615' },
      endedAt: new Date(endedAt).toISOString(),
      files: [
        { name: first, sha256, bytes: 7, node: '9', area: 'output', original: 'ComfyUI_00001_.png' },
        { name: second, original: 'sub/b.png' },
      ],
    });
  });

  it('flushes files and record to disk before naming them', async () => {
    const folder = new MemoryFolder();
    const files = [output('a.png'), output('b.png')];
    await save({ job: job(files), client: source(() => whole('picture')), folder });
    expect(folder.names).toHaveLength(3);
    expect(folder.unflushed).toEqual([]);
  });

  it('never overwrites, not even a file created between the check and the rename', async () => {
    const folder = new MemoryFolder();
    folder.snatched.add(`${prefix}-a.png`);
    const [saved] = await save({ job: job([output('a.png')]), client: source(() => whole('new')), folder });
    expect(saved?.name).toBe(`${prefix}-a (2).png`);
    expect(Buffer.from(folder.files.get(`${prefix}-a.png`) ?? '').toString()).toBe('of somebody else');
  });

  it('resumes a broken download where it stopped', async () => {
    const folder = new MemoryFolder();
    const text = 'a long picture of many parts';
    const client = source((_, offset) => ({
      body: stream(text.slice(offset, offset + 12), new TypeError('terminated')),
      size: text.length,
      resumable: true,
    }));
    const [saved] = await save({ job: job([output('a.png')]), client, folder, timing });
    expect(saved?.sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(client.asked[0]).toBe(0);
    expect(client.asked.length).toBeGreaterThan(1);
    expect(client.asked.slice(1).every((offset) => offset > 0)).toBe(true);
  });

  it("starts over when the server can't resume a file", async () => {
    const folder = new MemoryFolder();
    const text = 'whole picture';
    let calls = 0;
    const client = source(() => {
      const isBroken = ++calls < 3;
      return { body: stream(isBroken ? text.slice(0, 6) : text), size: text.length, resumable: false };
    });
    const [saved] = await save({ job: job([output('a.png')]), client, folder, timing });
    expect(client.asked).toEqual([0, 0, 0]);
    expect(saved?.sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('leaves nothing of a failed download, keeps the others and reports both', async () => {
    const folder = new MemoryFolder();
    const client = source((file) =>
      file.filename === 'bad.png' ? { body: stream('half'), size: 9, resumable: false } : whole('good'),
    );
    const files = [output('bad.png'), output('good.png')];
    const saving = save({ job: job(files), client, folder, timing });
    const error = await saving.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OutputsNotSavedError);
    expect(error).toMatchObject({ failed: [{ file: files[0] }], saved: [{ name: `${prefix}-good.png` }] });
    expect((error as Error).message).toContain('bad.png was interrupted after 4 of 9 bytes');
    expect(folder.names).toEqual([`${prefix}-good.png`, `${prefix}.run.json`]);
  });

  it('reports a full disk in one sentence, stops and leaves no partial file', async () => {
    const folder = new MemoryFolder();
    const client = source(() => {
      folder.room = client.asked.length === 1 ? 10 : folder.room;
      return whole('eight...');
    });
    const files = [output('a.png'), output('b.png'), output('c.png')];
    const error = await save({ job: job(files), client, folder, timing }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(OutputsNotSavedError);
    expect((error as OutputsNotSavedError).message).toMatch(/^The disk is full/);
    expect((error as OutputsNotSavedError).nextAction).toMatch(/Free some space/);
    expect(folder.names).toEqual([`${prefix}-a.png`, `${prefix}.run.json`]);
    expect(client.asked.length).toBe(2);
  });

  it('retries after temporary errors, not after a refusal', async () => {
    const passing = new ServerError('down', { reason: 'network', endpoint: 'GET /api/view' });
    const gone = new ServerError('gone', { reason: 'notFound', endpoint: 'GET /api/view', status: 404 });
    let calls = 0;
    const shaky = source(() => {
      if (++calls === 1) throw passing;
      return whole('ok');
    });
    await save({ job: job([output('a.png')]), client: shaky, folder: new MemoryFolder(), timing });
    expect(shaky.asked).toEqual([0, 0]);
    const lost = source(() => {
      throw gone;
    });
    await expect(
      save({ job: job([output('a.png')]), client: lost, folder: new MemoryFolder(), timing }),
    ).rejects.toThrow('gone');
    expect(lost.asked).toEqual([0]);
  });

  it('does not accept a web page or an empty answer as a picture', async () => {
    const folder = new MemoryFolder();
    const page = source(() => ({ ...whole('<html>'), mime: 'text/html; charset=utf-8' }));
    await expect(save({ job: job([output('a.png')]), client: page, folder, timing })).rejects.toThrow(
      'The server sent a web page instead of a.png.',
    );
    const nothing = source(() => ({ body: stream(''), resumable: false }));
    await expect(save({ job: job([output('a.png')]), client: nothing, folder, timing })).rejects.toThrow(
      'empty file',
    );
    expect(folder.names).toEqual([]);
  });

  it('aborts at once and cleanly, even if the stream never moves', async () => {
    const folder = new MemoryFolder();
    const abort = new AbortController();
    const client = source(() => {
      setTimeout(() => abort.abort(), 5);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from('half')),
        cancel: () => new Promise(() => undefined),
      });
      return { body, size: 99, resumable: true };
    });
    const saving = save({ job: job([output('a.png')]), client, folder, signal: abort.signal });
    await expect(saving).rejects.toMatchObject({ name: 'AbortError' });
    expect(folder.names).toEqual([]);
  });

  it('reports progress in bytes', async () => {
    const seen: string[] = [];
    await save({
      job: job([output('a.png'), output('b.png')]),
      client: source(() => whole('12345678')),
      folder: new MemoryFolder(),
      onProgress: ({ index, count, bytes, size }) => seen.push(`${index}/${count} ${bytes}/${size ?? '?'}`),
    });
    expect(seen).toEqual(['1/2 0/8', '1/2 4/8', '1/2 8/8', '2/2 0/8', '2/2 4/8', '2/2 8/8']);
  });

  it('saves temporary outputs too on request; otherwise the record lists them', async () => {
    const made = job([output('t.png', { area: 'temp', nodeId: '4', subfolder: 's' }), output('o.png')]);
    const request = { job: made, client: source(() => whole('a')), record, signal };
    const folder = new MemoryFolder();
    const names = (saved: readonly { file: OutputFile }[]) => saved.map(({ file }) => file.filename);
    expect(names(await save({ ...request, folder }))).toEqual(['o.png']);
    expect(recordIn(folder)).toMatchObject({
      state: 'saved',
      temporary: [{ node: '4', area: 'temp', original: 's/t.png' }],
    });

    const run = await RecordFile.open(folder, `${prefix}.run.json`, unchanged);
    if (run === undefined || run === 'busy') throw new Error('no record');
    expect(names(await saveRunOutputs({ ...request, folder, run, temporaryToo: true }))).toEqual([
      'o.png',
      't.png',
    ]);
    expect(recordIn(folder)).not.toHaveProperty('temporary');
    // Files on disk stay in the record when they are no longer wanted.
    expect(names(await saveRunOutputs({ ...request, folder, run }))).toEqual(['o.png', 't.png']);
    expect(run.record.files).toHaveLength(2);
    await run.close();
  });

  it('fetches first what is being viewed', async () => {
    const files = ['a.png', 'b.png', 'c.png', 'd.png'].map((name) => output(name));
    const asked: string[] = [];
    const client = source(({ filename }) => {
      asked.push(filename);
      return whole('a');
    });
    const shown = (): OutputFile | undefined => (asked.length < 2 ? files[2] : files[3]);
    const saved = await save({ job: job(files), client, folder: new MemoryFolder(), shown });
    expect(asked).toEqual(['c.png', 'a.png', 'd.png', 'b.png']);
    expect(saved.map(({ file }) => file)).toEqual(files);
  });

  it('keeps texts in the record when a job has no files', async () => {
    const folder = new MemoryFolder();
    const texts = [{ nodeId: '4', text: 'a caption' }];
    expect(await save({ job: job([], { texts }), client: source(() => whole('')), folder })).toEqual([]);
    expect(recordIn(folder)).toMatchObject({ texts: [{ node: '4', text: 'a caption' }], files: [] });
  });

  it('holds one chunk at a time, however large the file', async () => {
    const chunk = new Uint8Array(1 << 20);
    const count = 256;
    let given = 0;
    let written = 0;
    let ahead = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (given === count) controller.close();
        else controller.enqueue(chunk);
        given++;
        ahead = Math.max(ahead, given - written);
      },
    });
    const folder = new MemoryFolder();
    const create = folder.create.bind(folder);
    folder.create = async (name) => {
      const sink = await create(name);
      let large = 0;
      return {
        get size() {
          return large + sink.size;
        },
        write: async (bytes) => {
          if (bytes !== chunk) return sink.write(bytes);
          await new Promise(setImmediate);
          large += bytes.length;
          written++;
        },
        sync: () => sink.sync(),
        close: () => sink.close(),
      };
    };
    const client = source(() => ({ body, size: count * chunk.length, resumable: true }));
    const [saved] = await save({ job: job([output('film.mp4')]), client, folder });
    expect(saved?.bytes).toBe(count * chunk.length);
    expect(ahead).toBeLessThanOrEqual(3);
  });
});
