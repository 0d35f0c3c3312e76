import { decode, encode } from 'fast-png';
import { expect, it } from 'vitest';
import { ask, type Answer, sandboxForTest } from '../../../support/sandboxFixture';
import { onePixelPng } from '../../../support/sandboxTestNodes';

async function upload(
  url: string,
  bytes: Uint8Array,
  filename: string,
  fields: Readonly<Record<string, string>> = {},
  path = '/upload/image',
): Promise<Answer> {
  const form = new FormData();
  form.set('image', new Blob([Buffer.from(bytes)]), filename);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return ask(`${url}${path}`, { method: 'POST', body: form });
}

it('keeps a name for the same bytes and numbers other bytes', async () => {
  const { url, files } = await sandboxForTest({ dialect: 'local' });
  const [first, second] = [onePixelPng(1), onePixelPng(2)];
  const answer = (await upload(url, first, 'up.png')).json;
  expect(answer).toMatchObject({ name: 'up.png', subfolder: '', type: 'input', asset: { name: 'up.png' } });
  expect((await upload(url, first, 'up.png')).json['name']).toBe('up.png');
  expect((await upload(url, second, 'up.png')).json['name']).toBe('up (1).png');
  expect((await upload(url, second, 'up.png')).json['name']).toBe('up (1).png');
  expect((await upload(url, second, 'up.png', { overwrite: 'true' })).json['name']).toBe('up.png');
  expect(files.read({ filename: 'up.png', subfolder: '', type: 'input' })).toEqual(Buffer.from(second));
  const deep = await upload(url, first, 'up.png', { subfolder: 'a/b', type: 'temp' });
  expect(deep.json).toMatchObject({ name: 'up.png', subfolder: 'a/b', type: 'temp' });
});

it.each([
  ['a climbing folder', 'x.png', { subfolder: '../..' }],
  ['a climbing name', '../../x.png', {}],
  ['an absolute name', '/etc/x.png', {}],
])('rejects %s', async (_what, filename, fields) => {
  const { url, files } = await sandboxForTest({ dialect: 'local' });
  const answer = await upload(url, onePixelPng(), filename, fields);
  expect([answer.status, answer.text]).toEqual([400, '']);
  expect(files.names('input', '')).toEqual([]);
});

it('applies the alpha channel of a mask to its original', async () => {
  const { url, files } = await sandboxForTest({ dialect: 'local' });
  await upload(url, onePixelPng(77), 'up.png');
  const mask = encode({ width: 1, height: 1, channels: 4, depth: 8, data: Uint8Array.of(0, 0, 0, 40) });
  const reference = JSON.stringify({ filename: 'up.png', type: 'input' });
  const answer = await upload(url, mask, 'mask.png', { original_ref: reference }, '/upload/mask');
  expect(answer.json).toMatchObject({ name: 'mask.png', subfolder: '', type: 'input' });
  const stored = files.read({ filename: 'mask.png', subfolder: '', type: 'input' });
  expect([...decode(stored ?? new Uint8Array()).data]).toEqual([77, 10, 20, 40]);
  const lost = await upload(
    url,
    mask,
    'lost.png',
    { original_ref: '{"filename": "no.png"}' },
    '/upload/mask',
  );
  expect(lost.json, 'nothing was stored').not.toHaveProperty('asset');
  expect([lost.status, files.names('input', '').includes('lost.png')]).toEqual([200, false]);
  expect((await upload(url, mask, 'm.png', {}, '/upload/mask')).status).toBe(500);
});

it('lists uploaded pictures in the definitions of loaders', async () => {
  const { url } = await sandboxForTest({ dialect: 'local' });
  await upload(url, onePixelPng(), 'listed.png');
  expect((await ask(`${url}/object_info`)).text).toContain('"listed.png"');
});

it('sends files with type, name, ETag and ranges', async () => {
  const { url, files } = await sandboxForTest({ dialect: 'local' });
  files.write({ filename: 'a.png', subfolder: 's', type: 'output' }, onePixelPng());
  const address = `${url}/view?filename=a.png&subfolder=s`;
  const whole = await fetch(address);
  expect(whole.status).toBe(200);
  expect(whole.headers.get('content-type')).toBe('image/png');
  expect(whole.headers.get('content-disposition')).toBe('filename="a.png"');
  expect(Buffer.from(await whole.arrayBuffer()).equals(onePixelPng())).toBe(true);
  const etag = whole.headers.get('etag') ?? '';
  expect((await ask(address, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  const part = await fetch(address, { headers: { Range: 'bytes=1-3' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 1-3/${onePixelPng().byteLength}`,
  ]);
  expect(await part.text()).toBe('PNG');
  expect((await ask(address, { headers: { Range: 'bytes=99999-' } })).status).toBe(416);
  const head = await fetch(address, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(onePixelPng().byteLength));
  expect((await ask(`${url}/view?filename=a.png%20[output]&subfolder=s&type=input`)).status).toBe(200);
});

it('converts pictures on request', async () => {
  const { url, files } = await sandboxForTest({ dialect: 'local' });
  const picture = encode({ width: 1, height: 1, channels: 4, depth: 8, data: Uint8Array.of(1, 2, 3, 4) });
  files.write({ filename: 'a.png', subfolder: '', type: 'output' }, picture);
  const pixels = async (channel: string): Promise<number[]> => {
    const answer = await fetch(`${url}/view?filename=a.png&channel=${channel}`);
    return [...decode(new Uint8Array(await answer.arrayBuffer())).data];
  };
  expect(await pixels('rgb')).toEqual([1, 2, 3]);
  expect(await pixels('a')).toEqual([0, 0, 0, 4]);
  const preview = await fetch(`${url}/view?filename=a.png&preview=jpeg`);
  expect([...decode(new Uint8Array(await preview.arrayBuffer())).data]).toEqual([1, 2, 3, 4]);
  const webp = await fetch(`${url}/view?filename=a.png&preview=webp;50`);
  expect(webp.headers.get('content-type')).toBe('image/webp');
  const bytes = Buffer.from(await webp.arrayBuffer());
  expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WEBP']);
});

it('sends what a browser would execute as a plain download', async () => {
  const { url, files } = await sandboxForTest({ dialect: 'local' });
  files.write({ filename: 'page.html', subfolder: '', type: 'output' }, Buffer.from('<script>'));
  const answer = await fetch(`${url}/view?filename=page.html`);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  await answer.arrayBuffer();
});
