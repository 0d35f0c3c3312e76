import { expect, it } from 'vitest';
import { withOutputs } from '../../../src/core/jobs/jobOutputs';
import {
  collectOutputs,
  mediaKind,
  type OutputRecords,
  submittedId,
} from '../../../src/core/protocol/outputRecord';
import { stored } from '../jobs/observations';

const file = (filename: string, more = {}) => ({ filename, subfolder: '', type: 'output', ...more });

it('collects files under any key, and texts', () => {
  const { files, texts } = collectOutputs({
    '9': { images: [file('a.png'), file('b.mp4', { subfolder: 'vid' })], animated: [true] },
    '4': { odd_key: [file('c.glb'), 17, null, 'words'], text: ['one', 'two'] },
    '5': { text: 'three' },
    '6': null,
  });
  expect(files.map(({ filename, media, nodeId }) => [nodeId, filename, media])).toEqual([
    ['4', 'c.glb', 'model3d'],
    ['9', 'a.png', 'image'],
    ['9', 'b.mp4', 'video'],
  ]);
  expect(texts).toEqual([
    { nodeId: '4', text: 'one' },
    { nodeId: '4', text: 'two' },
    { nodeId: '5', text: 'three' },
  ]);
});

it('lists a file once per node, area and folder', () => {
  const images = [
    file('a.png'),
    file('a.png'),
    file('a.png', { type: 'temp' }),
    file('a.png', { subfolder: 's' }),
  ];
  expect(collectOutputs({ '9': { images } }).files).toHaveLength(3);
});

it('fills in what old nodes omit', () => {
  expect(collectOutputs({ '9': { gifs: [{ filename: 'a' }] } }).files).toEqual([
    { filename: 'a', subfolder: '', area: 'output', media: 'video', nodeId: '9' },
  ]);
});

it('treats a string that names a 3D model as a file', () => {
  expect(collectOutputs({ '9': { result: ['mesh/chair.glb', { camera: 1 }, 'no file'] } }).files).toEqual([
    { filename: 'chair.glb', subfolder: 'mesh', area: 'output', media: 'model3d', nodeId: '9' },
  ]);
  expect(collectOutputs({ '9': { text: ['chair.glb'] } })).toMatchObject({
    files: [],
    texts: [{ text: 'chair.glb' }],
  });
});

it('passes on names with .. unchanged: they are made safe when files are written', () => {
  expect(
    collectOutputs({ '9': { files: [file('../../climb.txt', { subfolder: '..' })] } }).files[0],
  ).toMatchObject({ filename: '../../climb.txt', subfolder: '..' });
});

it('is no file if no disk could have its name', () => {
  const files = [file('a'.repeat(5_000)), file('b.png')];
  expect(collectOutputs({ '9': { files } }).files).toMatchObject([{ filename: 'b.png' }]);
});

it('counts what an expanded node made as made by the node of the prompt', () => {
  const round = (...names: string[]) => ({ images: names.map((name) => file(name)), text: ['done'] });
  const { files, texts } = collectOutputs(
    { '1.0.0.0_5': round('a.png', 'same.png'), '1.0.0.1_5': round('b.png', 'same.png') },
    () => '5',
  );
  expect(files.map(({ nodeId, filename }) => [nodeId, filename])).toEqual([
    ['5', 'a.png'],
    ['5', 'same.png'],
    ['5', 'b.png'],
  ]);
  expect(texts).toEqual([
    { nodeId: '5', part: '1.0.0.0_5', text: 'done' },
    { nodeId: '5', part: '1.0.0.1_5', text: 'done' },
  ]);
});

it.each([
  ['7', '7'],
  ['57:8', '57:8'],
  ['12.0.0.3', '12'],
  ['1.0.0.iteration_2', '1'],
  ['1.0.0.result', '1'],
  ['1.0.0.2_5', '5'],
  ['1.0.0.0_57:8', '57:8'],
  ['1.0.0.0_2.0.0.1_1.0.0.0_5', '5'],
  ['1.0.0.0_2.0.0.progress_1', '1'],
  ['12.0.0.3_99', '12'],
])('belongs, as %s, to node %s of the prompt', (executed, submitted) => {
  const prompt = ['1', '2', '5', '7', '12', '57:8'];
  expect(submittedId(executed, (id) => prompt.includes(id))).toBe(submitted);
});

it('keeps what the server tells of a file, and nothing else that is there', () => {
  const video = { kind: 'video', width: 64, height: 48, duration: 1.5, fps: 8, frame_count: 12 };
  const entries = [
    file('v.mp4', { metadata: video, id: 'a1' }),
    file('p.png', { metadata: { width: 64, height: '64', depth: 8 }, id: 'b1', preview_id: 'b2' }),
    file('u.png', { asset: { id: 'c1', asset_hash: 'blake3:00' } }),
    file('odd.png', { metadata: [NaN], id: 'x'.repeat(300), preview_id: 5 }),
    // What no file could have.
    file('no.png', {
      metadata: { width: 1e308, height: -4, duration: 1e308, fps: '24' },
      asset: [{ id: 'y' }],
    }),
  ];
  expect(collectOutputs({ '9': { images: entries } }).files).toMatchObject([
    { facts: { width: 64, height: 48, duration: 1.5, fps: 8, frames: 12 }, asset: { id: 'a1' } },
    { facts: { width: 64 }, asset: { id: 'b1', preview: 'b2' } },
    { facts: undefined, asset: { id: 'c1', hash: 'blake3:00' } },
    { facts: undefined, asset: undefined },
    { facts: undefined, asset: undefined },
  ]);
});

it.each(['constructor', '__proto__', 'toString'])('belongs to its node if that is %s', (nodeId) => {
  const outputs = JSON.parse(
    JSON.stringify({ node: { images: [file('a.png')] } }).replace('node', nodeId),
  ) as object;
  const job = withOutputs(stored('running'), outputs as OutputRecords, {});
  expect(job.outputs).toMatchObject([{ nodeId, filename: 'a.png' }]);
});

it('detects kinds by format, then extension, then key', () => {
  expect(mediaKind('x.png', 'video/h264-mp4', 'images')).toBe('video');
  expect(mediaKind('x.FLAC', undefined, 'images')).toBe('audio');
  const documented = ['images', 'video', 'audio'].map((key) => mediaKind('hash', undefined, key));
  expect(documented).toEqual(['image', 'video', 'audio']);
  expect(mediaKind('x.latent', undefined, 'latents')).toBe('other');
});

it.each(['constructor', '__proto__', 'hasOwnProperty'])('knows no kind of a name that ends in %s', (name) => {
  expect(mediaKind(`x.${name}`, undefined, name)).toBe('other');
});

it('collects lists of texts and numbers under any key, unless they name files', () => {
  const { files, texts } = collectOutputs({
    '4': {
      tags: ['cat, window', 'dog'],
      value: [0.5, 'x'],
      empty: [],
      animated: [true],
      flags: [true, false],
    },
    '5': { result: ['mesh/chair.glb', 'background.png'], mixed: ['a', null], rows: [['a']] },
  });
  expect(texts).toEqual([
    { nodeId: '4', text: 'cat, window' },
    { nodeId: '4', text: 'dog' },
    { nodeId: '4', text: '0.5' },
    { nodeId: '4', text: 'x' },
  ]);
  expect(files).toMatchObject([{ nodeId: '5', filename: 'chair.glb' }]);
});

it('treats a page or a text as what its name says, whatever the server calls it', () => {
  expect(mediaKind('page.html', undefined, 'images')).toBe('text');
  expect(mediaKind('page.HTM', 'image/png', 'images')).toBe('text');
  expect(mediaKind('data.json', 'video/mp4', 'gifs')).toBe('text');
  expect(mediaKind('drawing.svg', undefined, 'images')).toBe('image');
});
