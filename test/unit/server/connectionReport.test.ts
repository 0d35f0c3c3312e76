import { expect, it } from 'vitest';
import { refusalError } from '../../../src/core/protocol/refusal';
import { askConnection } from '../../../src/core/server/probeCapabilities';

function asked(status: number) {
  const refusal = refusalError({ endpoint: 'GET /api/user', status, bodyText: '' });
  return askConnection({
    client: { user: () => Promise.reject(refusal) },
    probe: () => Promise.resolve({ dialect: 'cloud', jobs: false, history: false, singleNodeInfo: false }),
    hasKey: () => Promise.resolve(true),
  });
}

it('is connected to a server that names no user, however it says so', async () => {
  for (const status of [400, 403, 404, 405, 410, 501])
    expect(await asked(status)).toMatchObject({ kind: 'connected', user: undefined });
  expect(await asked(401)).toMatchObject({ kind: 'failed', reason: 'wrongKey' });
});
