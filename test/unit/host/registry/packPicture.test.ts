import { describe, expect, it } from 'vitest';
import { budgets } from '../../../../src/core/safety/budgets';
import type { HttpInit, HttpStack } from '../../../../src/core/client/httpStack';
import { packPicture } from '../../../../src/host/registry/packPicture';

const png = Buffer.from('\u0089PNG\r\n\u001a\n and more', 'latin1');

/** The answers by address, and what was asked. */
function web(answers: Readonly<Record<string, Buffer | string>>) {
  const asked: { readonly url: string; readonly init: HttpInit }[] = [];
  const http: HttpStack = {
    fetch: (url, init) => {
      asked.push({ url, init });
      const answer = answers[url] ?? '';
      if (answer === 'never') return new Promise(() => undefined);
      return Promise.resolve(
        typeof answer === 'string'
          ? new Response(null, { status: answer === '' ? 404 : 302, headers: { location: answer } })
          : new Response(new Uint8Array(answer)),
      );
    },
    form: (parts) => parts,
  };
  return { http, asked };
}

const names: Readonly<Record<string, readonly string[]>> = {
  'inside.example': ['93.184.216.34', '10.0.0.7'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nowhere.example': [],
};
const resolve = (host: string) => Promise.resolve(names[host] ?? ['93.184.216.34', '2606:2800:220:1::1']);

const a = 'https://a.example/a';

describe('the picture of a pack', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', Buffer.from('\u00ff\u00d8\u00ff\u00e0', 'latin1')],
    ['image/webp', Buffer.from('RIFF\n\n\n\nWEBPVP8 ')],
  ])('is %s by its bytes, asked without a credential', async (type, bytes) => {
    const { http, asked } = web({ [a]: bytes });
    expect(await packPicture([a], http, resolve)).toBe(`data:${type};base64,${bytes.toString('base64')}`);
    expect(asked.map(({ init: { headers, redirect } }) => [Object.keys(headers), redirect])).toEqual([
      [['Accept'], 'manual'],
    ]);
  });

  it('is the icon if there is no banner to show', async () => {
    const { http } = web({
      [a]: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      [`${a}/icon`]: png,
    });
    expect(await packPicture([undefined, a, `${a}/icon`], http, resolve)).toMatch(/^data:image\/png;/);
  });

  it('may be behind a redirect', async () => {
    const { http } = web({
      [a]: '/b',
      'https://a.example/b': 'https://c.example/',
      'https://c.example/': png,
    });
    expect(await packPicture([a], http, resolve)).toMatch(/^data:image\/png;/);
  });

  it.each([
    'http://a.example/a',
    'https://user:secret@a.example/a',
    'data:image/png;base64,AA',
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://[::ffff:192.168.0.2]/a',
    'https://router/a',
    'https://nas.local/a',
    'https://inside.example/a',
    'https://mapped.example/a',
    'https://nowhere.example/a',
  ])('is not asked for at %s, not by a redirect either', async (address) => {
    const direct = web({ [address]: png });
    expect(await packPicture([address], direct.http, resolve)).toBeUndefined();
    expect(direct.asked).toEqual([]);
    const redirected = web({ [a]: address, [address]: png });
    expect(await packPicture([a], redirected.http, resolve)).toBeUndefined();
    expect(redirected.asked.map(({ url }) => url)).toEqual([a]);
  });

  it('is not too large, not too slow, and not behind redirects without an end', async () => {
    const large = Buffer.concat([png, Buffer.alloc(budgets.packPicture)]);
    expect(await packPicture([a], web({ [a]: large }).http, resolve)).toBeUndefined();
    expect(await packPicture([a], web({ [a]: 'never' }).http, resolve, 5)).toBeUndefined();
    expect(
      await packPicture([a], web({ [a]: png }).http, () => new Promise(() => undefined), 5),
    ).toBeUndefined();
    const { http, asked } = web({ [a]: a });
    expect(await packPicture([a], http, resolve)).toBeUndefined();
    expect(asked.length).toBeLessThan(10);
  });
});
