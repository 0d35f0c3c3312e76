import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { undiciStack } from '../../../src/cli/undiciStack';
import { Transport } from '../../../src/core/client/transport';
import { view } from '../../../src/core/client/view';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { answering } from '../../support/loopback';

vi.mock(import('../../../src/core/safety/budgets'), async (original) => {
  const { budgets } = await original();
  return { budgets: { ...budgets, outputInflatedBytes: 2 ** 20 } as unknown as typeof budgets };
});

const file: OutputFile = { filename: 'a.png', subfolder: '', area: 'output', nodeId: '9', media: 'image' };

let http: ReturnType<typeof undiciStack>;
beforeAll(() => {
  http = undiciStack();
});
afterAll(() => http.close());

/** A server that compresses although the request says not to. */
async function compressing(size: number, status = 200) {
  const body = gzipSync(new Uint8Array(size));
  const server = await answering((_, response) => {
    const range = status === 206 ? { 'Content-Range': `bytes 0-${size - 1}/${size}` } : {};
    response.writeHead(status, { 'Content-Encoding': 'gzip', 'Accept-Ranges': 'bytes', ...range }).end(body);
  });
  return new Transport({ baseUrl: server.url, http, retryBase: 1 });
}

it('a compressed answer is inflated and never resumed', async () => {
  const answer = await view(await compressing(5000), file, {});
  expect(answer).toMatchObject({ resumable: false });
  expect(answer.size).toBeUndefined();
  expect(await new Response(answer.body).arrayBuffer()).toHaveProperty('byteLength', 5000);
  await expect(view(await compressing(5000, 206), file, { offset: 1 })).rejects.toThrow(/compressed part/);
});

it('a small answer that inflates without limit is stopped at the budget', async () => {
  const { body } = await view(await compressing(2 ** 26), file, {});
  const reader = body.getReader();
  let received = 0;
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      received += value.length;
    }
  })();
  await expect(reading).rejects.toMatchObject({
    reason: 'unexpectedShape',
    message: expect.stringMatching(/compressed the file, and it is larger/) as string,
    nextAction: expect.stringMatching(/Turn off compression/) as string,
  });
  expect(received).toBeLessThanOrEqual(2 ** 20);
});
