import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undiciStack } from '../../../src/cli/undiciStack';
import { EventStream } from '../../../src/core/client/eventStream';
import { Transport } from '../../../src/core/client/transport';
import { ServerError } from '../../../src/core/protocol/serverError';
import { selfSigned } from '../../support/selfSigned';

const pem = selfSigned();
const title = pem === undefined ? ' (left out: there is no openssl to make one)' : '';

describe.skipIf(pem === undefined)(`a server with an untrusted certificate${title}`, () => {
  const server = createServer({ key: pem, cert: pem }, (_request, response) => {
    arrivals++;
    response.end('{}');
  });
  let arrivals = 0;
  let address = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is sent nothing, and the error says why and what to do', async () => {
    const http = undiciStack();
    const credential = () => Promise.resolve({ kind: 'apiKey' as const, value: 'test-key' });
    const transport = new Transport({ baseUrl: address, http, credential, retryBase: 1 });
    const error: unknown = await transport.text({ path: '/api/queue' }).catch((reason: unknown) => reason);
    await http.close();
    if (!ServerError.is(error, 'certificate')) throw new Error(`not refused: ${String(error)}`);
    expect(error.message).toBe(`The certificate of ${address} isn't trusted.`);
    expect(error.nextAction).toMatch(/Trust the server's certificate/);
    expect(arrivals).toBe(0);
  });

  it('gets no event socket either', async () => {
    const stream = new EventStream({
      address: () => Promise.resolve(`${address.replace('https', 'wss')}/ws?clientId=me`),
      clientId: 'me',
      onEvent: () => undefined,
      onState: () => undefined,
    });
    const error: unknown = await stream.open().catch((reason: unknown) => reason);
    await stream.close();
    expect(ServerError.is(error, 'certificate')).toBe(true);
  });
});
