import { decode, encode } from 'fast-png';
import { expect, it } from 'vitest';
import { MaskProblem, serverPicture, uploadMaskFor } from '../../../src/core/runs/maskUpload';
import { sandboxSession } from './runFixture';

/** A picture of one color, with the alpha of each pixel if given. */
function png(width: number, alpha?: number): Uint8Array {
  const channels = alpha === undefined ? 3 : 4;
  const pixel = alpha === undefined ? [77, 10, 20] : [0, 0, 0, alpha];
  const data = Uint8Array.from(Array.from({ length: width }, () => pixel).flat());
  return encode({ width, height: 1, channels, depth: 8, data });
}

const picture = { name: 'cat.png', bytes: png(2) };
const mask = { name: 'cat.png', bytes: png(2, 40) };

it.each(['local', 'cloud'] as const)('stores a picture and its mask as one file, %s', async (dialect) => {
  const { sandbox, session } = await sandboxSession({ dialect });
  const value = await uploadMaskFor(session.client, { picture, mask, overwrite: false });
  const stored = sandbox.files.read({ filename: value, subfolder: '', type: 'input' });
  expect([...decode(stored ?? new Uint8Array()).data].slice(0, 4)).toEqual([77, 10, 20, 40]);
  if (dialect === 'local') expect(value).toBe('cat-masked.png');
});

it('uses a picture on the server, and overwrites existing files on request', async () => {
  const { sandbox, session } = await sandboxSession({ dialect: 'local' });
  sandbox.files.write({ filename: 'dog.png', subfolder: 'pets', type: 'output' }, png(2));
  const there = serverPicture('pets/dog.png', 'output');
  const values = [];
  for (const overwrite of [false, false, true]) {
    values.push(await uploadMaskFor(session.client, { picture: there, mask, overwrite }));
  }
  expect(values).toEqual(['dog-masked.png', 'dog-masked (1).png', 'dog-masked.png']);
});

it('reports when the server stored nothing, as for a picture that it lacks', async () => {
  const { session } = await sandboxSession({ dialect: 'local' });
  const lost = { picture: serverPicture('no.png', 'input'), mask, overwrite: false };
  await expect(uploadMaskFor(session.client, lost)).rejects.toThrow(/didn't save a masked image.*no\.png/);
});

it.each([
  ['has no alpha', { name: 'm.png', bytes: png(2) }, /m\.png has no transparent areas/],
  ['is a JPEG', { name: 'm.jpg', bytes: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0) }, /m\.jpg has no transparent/],
  ['has another size', { name: 'm.png', bytes: png(3, 9) }, /mask is 3 × 1 pixels and the image is 2 × 1/],
  ['is no picture', { name: 'm.png', bytes: new TextEncoder().encode('text') }, /m\.png is not an image/],
])('sends nothing when the mask %s', async (_what, wrong, words) => {
  const { sandbox, session } = await sandboxSession({ dialect: 'local' });
  const upload = uploadMaskFor(session.client, { picture, mask: wrong, overwrite: false });
  await expect(upload).rejects.toThrow(words);
  await expect(upload).rejects.toBeInstanceOf(MaskProblem);
  expect(sandbox.files.names('input', '')).toEqual([]);
});
