import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { undiciStack } from '../../../src/cli/undiciStack';
import { Transport } from '../../../src/core/client/transport';
import { viewOutput } from '../../../src/core/client/view';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { answering } from '../../support/loopback';

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
  const answer = await viewOutput(await compressing(5000), file, {});
  expect(answer).toMatchObject({ resumable: false });
  expect(answer.size).toBeUndefined();
  expect(await new Response(answer.body).arrayBuffer()).toHaveProperty('byteLength', 5000);
  await expect(viewOutput(await compressing(5000, 206), file, { offset: 1 })).rejects.toThrow(
    /compressed part/,
  );
});
