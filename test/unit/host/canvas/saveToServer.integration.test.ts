import { expect, it } from 'vitest';
import { ServerWorkflows } from '../../../../src/core/client/serverWorkflows';
import { Transport } from '../../../../src/core/client/transport';
import { sendJson } from '../../../support/loopback';
import { answering, httpForTest } from '../../../support/sandboxFixture';

it('the workflows of a server get another one, which replaces one of its name only if it may', async () => {
  const stored = new Map([['/api/userdata/workflows%2Ffox.json', 'old']]);
  const server = await answering(({ method, path, target, body }, response) => {
    const old = stored.get(path);
    if (method === 'GET') response.writeHead(old === undefined ? 404 : 200).end(old);
    else if (old !== undefined && target.endsWith('overwrite=false')) response.writeHead(409).end();
    else {
      stored.set(path, body);
      sendJson(response, 200, path);
    }
  });
  const workflows = new ServerWorkflows(
    new Transport({ baseUrl: server.url, http: httpForTest(), retryBase: 1 }),
  );
  expect(await workflows.store('fox.json', '{"a": 1.0}', false)).toBe(false);
  expect(await workflows.storedText('fox.json')).toBe('old');
  expect(await workflows.store('fox.json', '{"a": 1.0}', true)).toBe(true);
  expect(await workflows.storedText('fox.json')).toBe('{"a": 1.0}');
  expect(await workflows.storedText('deep/wolf.json')).toBeUndefined();
  expect(await workflows.store('deep/wolf.json', '{}', false)).toBe(true);
  expect([...stored.keys()].at(-1)).toBe('/api/userdata/workflows%2Fdeep%2Fwolf.json');
  expect(await workflows.store('a%2f..%2fb.json', '{}', false)).toBe(true);
  const [, , last = ''] = [...stored.keys()];
  expect(decodeURIComponent(decodeURIComponent(last))).toBe('/api/userdata/workflows/a%2f..%2fb.json');
});
