import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { downloadOutput, type DownloadTiming } from '../../../src/core/outputs/downloadOutput';
import { refusalError } from '../../../src/core/protocol/refusal';
import type { ViewAnswer } from '../../../src/core/client/view';
import { ServerError } from '../../../src/core/protocol/serverError';
import { sizeText } from '../../../src/core/safety/sizeText';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { budgets } from '../../../src/core/safety/budgets';
import { MemoryFolder } from './memoryFolder';

const file: OutputFile = { filename: 'film.mp4', subfolder: '', area: 'output', nodeId: '9', media: 'video' };
const timing: DownloadTiming = { waits: [0, 0, 0, 0] };

type Answer = Partial<ViewAnswer> & Pick<ViewAnswer, 'body'>;

/** What became of a download: where it was asked from, what was said meanwhile, and how it ended. */
async function heard(
  answer: (offset: number) => Answer | Promise<Answer>,
  options: { readonly folder?: MemoryFolder; readonly timing?: DownloadTiming } = {},
) {
  const folder = options.folder ?? new MemoryFolder();
  const asked: number[] = [];
  const told: string[] = [];
  const error: unknown = await downloadOutput({
    file,
    folder,
    temporary: 'a.part',
    source: {
      view: async (_file, { offset = 0 }) => {
        asked.push(offset);
        return { resumable: true, ...(await answer(offset)) };
      },
      notice: (sentence) => told.push(sentence),
    },
    onBytes: () => undefined,
    timing: options.timing ?? timing,
    signal: new AbortController().signal,
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { folder, asked, told, error };
}

it('says that it waits before it tries again, if that takes long', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const refused = new ServerError('No.', { reason: 'rateLimited', endpoint: 'GET /api/view', status: 429 });
  const failed = heard(() => Promise.reject(refused), { timing: { waits: [500, 1500, 4000] } });
  await vi.advanceTimersByTimeAsync(6_000);
  const { error, told } = await failed;
  expect([error, told]).toEqual([refused, ["film.mp4 couldn't be downloaded. Retrying in 4 s."]]);
});

it('does not ask again where a limit or the subscription is the reason', async () => {
  const refused = refusalError({ endpoint: 'GET /api/view', status: 429, bodyText: '', isCloud: true });
  const { asked, error } = await heard(() => {
    throw refused;
  });
  expect([asked, error]).toEqual([[0], refused]);
});

/** This many bytes, then it breaks off. */
function broken(bytes: number): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated'));
      else controller.enqueue(new Uint8Array(bytes));
      sent = true;
    },
  });
}

/** A piece every few milliseconds, forever. */
function endless(bytes: number, every = 1): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, every));
      controller.enqueue(new Uint8Array(bytes));
    },
  });
}

describe('a download ends', () => {
  it('when its time is up, even if bytes still arrive', async () => {
    const { error, folder } = await heard(() => ({ body: endless(1) }), { timing: { ...timing, total: 60 } });
    expect(error).toMatchObject({
      reason: 'tooSlow',
      message: 'The download of film.mp4 took too long and was stopped.',
    });
    expect(folder.names).toEqual([]);
  });

  it('when more arrives than was announced', async () => {
    const { asked, error, folder } = await heard(() => ({ body: endless(600), size: 1000 }));
    expect(asked).toEqual([0, 0, 0, 0, 0]);
    expect(error).toMatchObject({ reason: 'broken' });
    expect(String(error)).toContain('larger than the 1000 bytes');
    expect(folder.names).toEqual([]);
  });
});

it.each([
  ['size', { size: 30 }, { size: 40 }],
  ['version', { size: 30, version: '"a"' }, { size: 30, version: '"b"' }],
])('starts again when the file is replaced meanwhile, which shows in its %s', async (_, first, second) => {
  const next = new Uint8Array(second.size).fill(2);
  let isFirst = true;
  const { asked, error, folder } = await heard((offset) => {
    if (isFirst) {
      isFirst = false;
      return { ...first, body: broken(10) };
    }
    return { ...second, body: new Blob([next.subarray(offset)]).stream() };
  });
  expect([asked, error]).toEqual([[0, 10, 0], undefined]);
  expect(folder.files.get('a.part')).toEqual(Buffer.from(next));
});

describe('a download does not start', () => {
  it('when the file exceeds the size limit', async () => {
    const { asked, error } = await heard(() => ({ body: endless(1), size: budgets.outputFileBytes + 1 }));
    expect(asked).toEqual([0]);
    expect(error).toMatchObject({ reason: 'tooLarge' });
    expect(String(error)).toContain('film.mp4 is larger than the limit of 64 GB per file.');
  });

  it('when the disk has less room than the file needs', async () => {
    const folder = new MemoryFolder();
    folder.told = 3 * 2 ** 20;
    const { asked, error } = await heard(() => ({ body: endless(1), size: 5 * 2 ** 30 }), { folder });
    expect(asked).toEqual([0]);
    expect(error).toMatchObject({
      reason: 'diskFull',
      message: "The disk has 3.0 MB left, so film.mp4 wasn't saved.",
    });
    expect(folder.names).toEqual([]);
  });
});

it('a download leaves some space on the disk, even if its size is unknown', async () => {
  const folder = new MemoryFolder();
  folder.told = budgets.diskReserve - 1;
  let came = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      came += 2 ** 24;
      controller.enqueue(new Uint8Array(2 ** 24));
    },
  });
  // Only the count matters here.
  folder.create = () => {
    let size = 0;
    return Promise.resolve({
      get size() {
        return size;
      },
      write: (bytes: Uint8Array) => {
        size += bytes.length;
        return Promise.resolve();
      },
      sync: () => Promise.resolve(),
      close: () => Promise.resolve(),
    });
  };
  const { error } = await heard(() => ({ body }), { folder });
  expect(error).toMatchObject({ reason: 'diskFull' });
  expect(came).toBeLessThan(budgets.diskCheckEvery + 2 ** 26);
});

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1536, '1.5 KB'],
  [200 * 2 ** 20, '200 MB'],
  [2 ** 53, '8192 TB'],
])('%d bytes read as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
