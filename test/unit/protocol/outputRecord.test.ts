import { expect, it } from 'vitest';
import { mediaKind } from '../../../src/core/protocol/outputRecord';
import { collectOutputs } from '../../../src/core/protocol/outputRecord';

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

it('lists a file for each node that names it: the cloud names files by their content', () => {
  const images = [file('c0ffee.png', { display_name: 'a.png' })];
  const { files } = collectOutputs({ '8': { images }, '9': { images } });
  expect(files.map(({ nodeId, filename }) => [nodeId, filename])).toEqual([
    ['8', 'c0ffee.png'],
    ['9', 'c0ffee.png'],
  ]);
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
  ).toMatchObject({
    filename: '../../climb.txt',
    subfolder: '..',
  });
});

it('is no file if no disk could have its name', () => {
  const files = [file('a'.repeat(5_000)), file('b.png')];
  expect(collectOutputs({ '9': { files } }).files).toMatchObject([{ filename: 'b.png' }]);
});

it('reports the prompt node of an expanded one', () => {
  const { files } = collectOutputs({ '12.0.0.3': { images: [file('a.png')] } }, { '12.0.0.3': '12' });
  expect(files[0]).toMatchObject({ nodeId: '12.0.0.3', displayNodeId: '12' });
});

it('detects kinds by format, then extension, then key', () => {
  expect(mediaKind('x.png', 'video/h264-mp4', 'images')).toBe('video');
  expect(mediaKind('x.FLAC', undefined, 'images')).toBe('audio');
  const documented = ['images', 'video', 'audio'].map((key) => mediaKind('hash', undefined, key));
  expect(documented).toEqual(['image', 'video', 'audio']);
  expect(mediaKind('x.latent', undefined, 'latents')).toBe('other');
});

it('treats a page or a text as what its name says, whatever the server calls it', () => {
  expect(mediaKind('page.html', undefined, 'images')).toBe('text');
  expect(mediaKind('page.HTM', 'image/png', 'images')).toBe('text');
  expect(mediaKind('data.json', 'video/mp4', 'gifs')).toBe('text');
  expect(mediaKind('drawing.svg', undefined, 'images')).toBe('image');
});
