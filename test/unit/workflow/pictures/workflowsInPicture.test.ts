import { describe, expect, it } from 'vitest';

import type { ByteRangeReader } from '../../../../src/core/workflow/pictures/byteRanges';
import {
  workflowsInFile,
  workflowsInPicture,
} from '../../../../src/core/workflow/pictures/workflowsInPicture';
import {
  avif,
  bytes,
  exif,
  exifComment,
  flac,
  glb,
  jpeg,
  mp3,
  mp4,
  mp4End,
  mp4Start,
  ogg,
  png,
  safetensors,
  svg,
  webm,
  webp,
} from './files';

const prompt = '{"1": {"class_type": "Kätzchen", "inputs": {"seed": 18446744073709551615, "x": NaN}}}';
const workflow = `{"nodes": [], "text": "${'long '.repeat(40_000)}"}`;
const both = { prompt, workflow };

const files: readonly (readonly [string, Uint8Array])[] = [
  ['PNG, tEXt', png(both)],
  ['PNG, zTXt', png(both, 'zTXt')],
  ['PNG, iTXt', png(both, 'iTXt')],
  ['PNG, iTXt packed', png(both, 'iTXt packed')],
  ['animated PNG', png(both, 'comf')],
  ['WEBP', webp(exif([`Workflow:${workflow}`, `prompt:${prompt}`]))],
  ['WEBP, big endian', webp(bytes('Exif', 0, 0, exif([`Workflow:${workflow}`, `prompt:${prompt}`], 'MM')))],
  ['AVIF', avif(exif([`Workflow:${workflow}`, `prompt:${prompt}`]))],
  ['WEBP with a comment', webp(exifComment(`{"prompt": ${prompt}, "workflow": ${workflow}}`, 'UNICODE'))],
  ['SVG', svg(`<![CDATA[\n{"prompt": ${prompt}, "workflow": ${workflow}}\n]]>`)],
  ['SVG without CDATA', svg(`{"prompt": ${prompt}, "workflow": ${workflow}}`.replaceAll('"', '&quot;'))],
  ['SafeTensors', safetensors(both)],
  [
    'MP4 with tags encoded twice',
    mp4({ prompt: JSON.stringify(prompt), workflow: JSON.stringify(workflow) }),
  ],
  ['FLAC', flac({ PROMPT: prompt, workflow })],
  ['FLAC behind a tag', bytes(bytes('ID3', 4, 0, 0, 0, 0, 0, 0), flac(both))],
  ['OGG', ogg(both)],
  ['Opus', ogg(both, 'opus')],
  ['MP3', mp3(both)],
  ['MP3, old tag', mp3(both, 3)],
  ['MP3, wide letters', mp3(both, 3, 'utf16')],
  ['MP4', mp4(both)],
  ['MOV', mp4(both, { quickTime: true })],
  ['MP4 with a comment', mp4({ comment: JSON.stringify({ prompt, workflow }) })],
  ['WEBM', webm(both)],
  [
    'GLB',
    glb(
      `{"asset": {"version": "2.0", "extras": {"prompt": ${prompt}, "workflow": ${JSON.stringify(workflow)}}}}`,
    ),
  ],
  ['glTF', bytes(`{"asset": {"extras": {"prompt": ${prompt}, "workflow": ${workflow}}}}`)],
];

describe('workflows in files', () => {
  it.each(files)('%s', (_, file) => {
    expect(workflowsInPicture(file)).toEqual(both);
  });

  it('JPEG, with its small segments', () => {
    expect(workflowsInPicture(jpeg(exif([`prompt:${prompt}`])))).toEqual({ prompt });
  });

  it.each([
    ['ASCII', exifComment('{"prompt": {"1": {}}}', 'ASCII')],
    ['UNICODE', exifComment('{"prompt": "{\\"1\\": {}}"}', 'UNICODE')],
    ['UNICODE in the other byte order', exifComment('{"prompt": {"1": {}}}', 'UNICODE', true)],
  ])('JPEG, with a comment in %s', (_, comment) => {
    expect(workflowsInPicture(jpeg(comment))).toEqual({ prompt: '{"1": {}}' });
  });

  it('a comment that is itself a workflow', () => {
    const noted = '{"1": {"class_type": "A"}, "extra": {}}';
    expect(workflowsInPicture(jpeg(exifComment(noted, 'UNICODE')))).toEqual({ prompt: noted });
    expect(workflowsInPicture(mp4({ comment: '{"nodes": []}' }))).toEqual({ workflow: '{"nodes": []}' });
    expect(workflowsInPicture(jpeg(exifComment('{"Steps": 20}', 'ASCII')))).toEqual({});
  });

  it('one of the two is enough', () => {
    expect(workflowsInPicture(png({ workflow: '{}', Title: 'x' }))).toEqual({ workflow: '{}' });
  });

  it("other programs' texts under these names are ignored", () => {
    expect(workflowsInPicture(png({ prompt: 'a cat, best quality', parameters: 'Steps: 20' }))).toEqual({});
  });

  it('other files contain none', () => {
    for (const text of ['', 'GIF89a', '{"asset": 1}', '{ broken', 'RIFF....WAVEfmt ']) {
      expect(workflowsInPicture(bytes(text))).toEqual({});
    }
    expect(workflowsInPicture(bytes('{"asset": {"extras": {"prompt": {}}}}'), 'x.json')).toEqual({});
  });
});

describe('reading in pieces', () => {
  /** A two-gigabyte video that does not exist: only its start and end do. */
  function film(size: number): { file: ByteRangeReader; reads: number[] } {
    const [start, end] = [mp4Start(size), mp4End({ prompt })];
    const reads: number[] = [];
    const file: ByteRangeReader = {
      size: start.length + size + end.length,
      read: (offset, length) => {
        reads.push(length);
        const piece = Uint8Array.from({ length }, (_, index) => {
          const at = offset + index;
          return (at < start.length ? start[at] : end[at - start.length - size]) ?? 0;
        });
        return Promise.resolve(piece);
      },
    };
    return { file, reads };
  }

  it('skips video and audio data', async () => {
    const { file, reads } = film(2_000_000_000);
    expect(await workflowsInFile(file)).toEqual({ prompt });
    expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(100_000);
  });

  it('finds the same as reading everything', async () => {
    for (const [, content] of files) {
      const file: ByteRangeReader = {
        size: content.length,
        read: (offset, length) => Promise.resolve(content.slice(offset, offset + length)),
      };
      expect(await workflowsInFile(file)).toEqual(both);
    }
  });

  it('passes on errors of the file itself', async () => {
    const file: ByteRangeReader = { size: 9, read: () => Promise.reject(new Error('gone')) };
    await expect(workflowsInFile(file)).rejects.toThrow('gone');
  });
});
