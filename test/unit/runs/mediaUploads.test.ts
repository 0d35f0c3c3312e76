import { describe, expect, it } from 'vitest';
import { planUploads, refuseOutsideMedia, uploadMedia } from '../../../src/core/runs/mediaUploads';
import { uploadAnswer } from '../../../src/core/protocol/answers';
import type { PlannedUpload } from '../../../src/core/runs/mediaUploads';
import type { LocalMedia } from '../../../src/core/runs/localFile';
import type { UploadLookup } from '../../../src/core/runs/mediaUploads';
import type { UploadMemory } from '../../../src/core/runLife/runSession';
import { applyEdits } from '../../../src/core/json/textEdit';
import { promptText, preparedOf } from './definitions';
import type { UploadKind } from '../../../src/core/catalog/inputSpec';
import { isNameOfKind, isContentOfKind } from '../../../src/core/runs/uploadKinds';

const signal = new AbortController().signal;

function textWith(...names: string[]): string {
  return promptText(
    Object.fromEntries(
      names.map((image, index) => [10 + index, { class_type: 'LoadImage', inputs: { image } }]),
    ),
  );
}

const png = '\u0089PNG\r\n\u001a\n';

function local(content: string, start = png): LocalMedia {
  const bytes = Buffer.from(`${start}${content}`, 'latin1');
  return {
    bytes: () => Promise.resolve(bytes),
    size: bytes.length,
    place: content,
    description: content,
    relative: content,
    marks: [],
  };
}

function planWith(text: string, localMedia: UploadLookup['localMedia'], more: Partial<UploadLookup> = {}) {
  return planUploads(preparedOf(text), { localMedia, mostBytes: () => Promise.resolve(undefined), ...more });
}

/** The plan with these files in the workspace. */
async function plan(...given: Parameters<typeof planWith>): Promise<PlannedUpload[]> {
  const planned = await planWith(...given);
  if ('kind' in planned) throw new Error(planned.message);
  return planned;
}

/** A server that stores files under its own names. */
function uploads(): { sent: string[]; client: Parameters<typeof uploadMedia>[1] } {
  const sent: string[] = [];
  return {
    sent,
    client: {
      uploadImage: ({ filename, bytes }) => {
        sent.push(`${filename}=${Buffer.from(bytes.subarray(png.length)).toString()}`);
        return Promise.resolve({ name: `stored-${filename}`, subfolder: '', type: 'input' });
      },
    },
  };
}

describe('media of a workflow', () => {
  it('is rejected at its place when a name leads outside', () => {
    const text = textWith('fine.png', '../secret.png');
    const refusal = refuseOutsideMedia(preparedOf(text));
    expect(refusal?.reason).toBe('mediaOutside');
    expect(text.slice(refusal?.offset, (refusal?.offset ?? 0) + (refusal?.length ?? 0))).toBe(
      '"../secret.png"',
    );
  });

  it('is never looked up under a name that leads outside', async () => {
    const asked: string[] = [];
    const planned = await plan(textWith('../secret.png', 'a.png'), (name) => {
      asked.push(name);
      return Promise.resolve(undefined);
    });
    expect(asked).toEqual(['a.png']);
    expect(planned).toEqual([]);
  });

  it('is sent once per content and server, and the workflow gets its new names', async () => {
    const text = textWith('a.png', 'sub/b.png', 'same-as-a.png', 'a.png', 'not-here.png');
    const files: Record<string, LocalMedia> = {
      'a.png': local('one'),
      'sub/b.png': local('two'),
      'same-as-a.png': local('one'),
    };
    const lookUp = (name: string): Promise<LocalMedia | undefined> => Promise.resolve(files[name]);
    const memory: UploadMemory = new Map();
    const server = uploads();
    const told: string[] = [];
    const planned = await plan(text, lookUp);
    const tell = (...all: unknown[]) => told.push(all.join(' '));
    const edits = await uploadMedia(planned, server.client, memory, tell, signal);
    expect(server.sent).toEqual(['a.png=one', 'b.png=two']);
    expect(told).toEqual(['a.png 1 2', 'sub/b.png 2 2']);
    const prompt = JSON.parse(applyEdits(text, edits)) as Record<string, { inputs: { image: string } }>;
    expect([10, 11, 12, 13, 14].map((id) => prompt[id]?.inputs.image)).toEqual([
      'stored-a.png',
      'stored-b.png',
      'stored-a.png',
      'stored-a.png',
      'not-here.png',
    ]);
    const again = await uploadMedia(planned, server.client, memory, () => expect.unreachable(), signal);
    expect(again).toEqual(edits);
    expect(server.sent).toHaveLength(2);
  });

  it('remembers which asset the server made of a file', async () => {
    const planned = await plan(textWith('a.png'), () => Promise.resolve(local('one')));
    const answer = uploadAnswer.parse({
      name: 'a.png',
      asset: { id: 'a1', asset_hash: 'blake3:00', size: 3 },
    });
    const client = { uploadImage: () => Promise.resolve({ ...answer, name: 'a.png' }) };
    const memory: UploadMemory = new Map();
    await uploadMedia(planned, client, memory, () => undefined, signal);
    expect([...memory.values()]).toEqual([{ value: 'a.png', asset: { id: 'a1', hash: 'blake3:00' } }]);
  });

  it('contains subfolder and area as the server returns them', async () => {
    const planned = await plan(textWith('a.png'), () => Promise.resolve(local('one')));
    const client = {
      uploadImage: () => Promise.resolve({ name: 'b.png', subfolder: 'pasted', type: 'temp' }),
    };
    const [edit] = await uploadMedia(planned, client, new Map(), () => undefined, signal);
    expect(edit?.newText).toBe('"pasted/b.png [temp]"');
  });

  it.each([
    ['.env', 'KEY=1'],
    ['notes.txt', 'words'],
    ['id_rsa', 'words'],
    ['film.mp4', 'words'],
    ['scene.svg', '<svg/>'],
  ])('is neither sent nor read when the input does not accept %s', async (name, content) => {
    const media = { ...local(content, ''), bytes: () => Promise.reject(new Error('was read')) };
    const refused = await planWith(textWith(name), () => Promise.resolve(media));
    expect(refused).toMatchObject({ kind: 'refused', reason: 'mediaNotSent' });
    expect(refused).toMatchObject({
      message: expect.stringContaining(`so ${name} wasn't uploaded`) as string,
    });
    expect(await plan(textWith(name), () => Promise.resolve(media), { force: true })).toEqual([]);
  });

  it('is not sent when content and extension disagree', async () => {
    const lookUp = (): Promise<LocalMedia> => Promise.resolve(local('KEY=1', ''));
    expect(await planWith(textWith('mine.png'), lookUp)).toMatchObject({ reason: 'mediaNotSent' });
    expect(await plan(textWith('known.png'), lookUp), 'the server lists one of that name').toEqual([]);
  });

  it('is rejected unread when it is larger than the server accepts', async () => {
    const huge = { ...local('a'), size: 2 ** 30 - 1, bytes: () => Promise.reject(new Error('was read')) };
    const refused = await planWith(textWith('a.png'), () => Promise.resolve(huge), {
      mostBytes: () => Promise.resolve(2 ** 20),
    });
    expect(refused).toMatchObject({ reason: 'mediaTooLarge' });
    const larger = { ...huge, size: 2 ** 40 };
    expect(await planWith(textWith('a.png'), () => Promise.resolve(larger))).toMatchObject({
      reason: 'mediaTooLarge',
    });
  });
});

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex');
const latin = (words: string): Uint8Array => Buffer.from(words, 'latin1');

const samples: readonly [UploadKind, string, Uint8Array][] = [
  ['image', 'a.png', hex('89504e470d0a1a0a 00')],
  ['image', 'sub/A.JPG', hex('ffd8ffe0')],
  ['image', 'a.webp', latin('RIFF....WEBPVP8 ')],
  ['image', 'a.gif', latin('GIF89a')],
  ['image', 'a.bmp', latin('BM....')],
  ['image', 'a.tiff', hex('49492a00')],
  ['image', 'a.avif', latin('\0\0\0\x20ftypavif')],
  ['image', 'a.heic', latin('\0\0\0\x20ftypmif1\0\0\0\0heic')],
  ['video', 'a.mp4', latin('\0\0\0\x20ftypisom')],
  ['video', 'a.webm', hex('1a45dfa3')],
  ['video', 'a.gif', latin('GIF89a')],
  ['audio', 'a.mp3', latin('ID3\x04')],
  ['audio', 'a.mp3', hex('fffb9000')],
  ['audio', 'a.wav', latin('RIFF....WAVEfmt ')],
  ['audio', 'a.flac', latin('fLaC')],
  ['audio', 'a.ogg', latin('OggS')],
  ['audio', 'film.mp4', latin('\0\0\0\x20ftypisom')],
  ['file', 'a.glb', latin('glTF\x02')],
  ['mesh', 'a.gltf', latin('{ "asset": { "version": "2.0" } }')],
  ['file', 'a.obj', latin('# made by hand\nmtllib a.mtl\nv 0 0 1\nf 1 2 3\n')],
  ['file', 'a.stl', latin('solid a\n facet normal 0 0 1\n')],
  ['file', 'a.ply', latin('ply\nformat ascii 1.0\n')],
];

describe('an upload input', () => {
  it.each(samples)('%s accepts %s', (kind, name, content) => {
    expect(isNameOfKind(kind, name)).toBe(true);
    expect(isContentOfKind(kind, name, content)).toBe(true);
  });

  it.each(samples)('%s accepts %s only if its content matches the extension', (kind, name) => {
    expect(isContentOfKind(kind, name, latin('API_KEY=1\n'))).toBe(false);
    expect(isContentOfKind(kind, name, new Uint8Array())).toBe(false);
  });

  const others = '.env .png id_rsa a.txt a.json a.pem a.png.txt a.svg a.sqlite png a.';

  it.each(others.split(' '))('no kind accepts %s', (name) => {
    for (const kind of ['image', 'video', 'audio', 'mesh', 'file'] as const) {
      expect(isContentOfKind(kind, name, latin('words'))).toBe(false);
    }
  });
});
