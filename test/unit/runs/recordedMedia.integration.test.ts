import { createHash } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedInput } from '../../../src/core/records/runRecord';
import type { LocalMedia } from '../../../src/core/runs/localFile';
import { recordedMedia } from '../../../src/core/runs/recordedMedia';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'comfy-deck-recorded-'));
});
afterEach(() => rm(folder, { recursive: true }));

const input: RecordedInput = {
  node: '1',
  input: 'image',
  name: 'cat (1).png',
  path: 'input/cat.png',
  bytes: 7,
  sha256: createHash('sha256').update('the cat').digest('hex'),
  kept: 'input-cat.png',
};

/** What the lookup finds in a workspace with these files, and which of them it told as changed. */
async function found(files: Readonly<Record<string, string>>, name = input.name, recorded = input) {
  const asked: string[] = [];
  const changed: string[] = [];
  const find = (relative: string): Promise<LocalMedia | undefined> => {
    asked.push(relative);
    const text = files[relative];
    if (text === undefined) return Promise.resolve(undefined);
    const bytes = Buffer.from(text);
    const media = { place: relative, description: relative, relative, size: bytes.length, marks: [] };
    return Promise.resolve({ ...media, bytes: () => Promise.resolve(bytes) });
  };
  const look = recordedMedia({
    inputs: [recorded],
    folder,
    find,
    changed: (each) => void changed.push(each),
  });
  const media = await look(name);
  const bytes = await media?.bytes();
  return { text: bytes && Buffer.from(bytes).toString(), asked, changed };
}

describe('the file that a recorded run used', () => {
  it('is its copy, whatever became of the file', async () => {
    await writeFile(path.join(folder, 'input-cat.png'), 'the cat');
    expect(await found({ 'input/cat.png': 'a dog' })).toEqual({ text: 'the cat', asked: [], changed: [] });
  });

  it('is the file itself while its content is the same', async () => {
    const files = { 'input/cat.png': 'the cat' };
    expect(await found(files)).toEqual({ text: 'the cat', asked: ['input/cat.png'], changed: [] });
  });

  it('is the file as it is now if nothing else is left, and that is told', async () => {
    await writeFile(path.join(folder, 'input-cat.png'), 'overwritten');
    const { text, changed } = await found({ 'input/cat.png': 'a dog' });
    expect({ text, changed }).toEqual({ text: 'a dog', changed: ['input/cat.png'] });
  });

  it('is looked for by its name in the workflow if the record does not know it', async () => {
    const { text, asked } = await found({ 'other.png': 'another' }, 'other.png');
    expect({ text, asked }).toEqual({ text: 'another', asked: ['other.png'] });
  });

  it('is never one of another kind than its name says', async () => {
    const { text, asked } = await found({ '.env': 'SECRET' }, input.name, { ...input, path: '.env' });
    expect({ text, asked }).toEqual({ text: undefined, asked: [input.name] });
  });

  it('is not read before its size has been checked', async () => {
    let reads = 0;
    const media: LocalMedia = {
      place: 'cat.png',
      description: 'cat.png',
      relative: 'cat.png',
      size: 2 ** 40,
      marks: [],
      bytes: () => Promise.resolve(Buffer.alloc(++reads)),
    };
    const look = recordedMedia({
      inputs: [input],
      folder,
      find: () => Promise.resolve(media),
      changed: () => undefined,
    });
    expect(await look(input.name)).toMatchObject({ size: 2 ** 40 });
    expect(reads).toBe(0);
  });

  it('is no link next to the record', async () => {
    await writeFile(path.join(folder, 'elsewhere'), 'the cat');
    await symlink(path.join(folder, 'elsewhere'), path.join(folder, 'input-cat.png'));
    expect((await found({})).text).toBeUndefined();
  });
});
