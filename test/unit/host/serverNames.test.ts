import { expect, it } from 'vitest';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { ServerNames } from '../../../src/host/servers/knownServers';
import { origin, server, start, stored } from '../jobs/observations';

it('a server missing from the settings keeps the name its jobs were sent under', () => {
  const store = new JobStore();
  const names = new ServerNames(store);
  expect(names.of(server)).toBeUndefined();
  const sandbox = 'http://127.0.0.1:40001';
  const old = {
    ...stored('completed', 'old'),
    server: sandbox,
    origin: { ...origin, serverName: 'Sandbox' },
  };
  store.restore([old]);
  expect(names.of(sandbox)).toBe('Sandbox');
  const named = { ...origin, serverName: 'Attic' };
  store.observe({ kind: 'submitted', id: 'new', server, origin: named, at: start });
  expect(names.of(server)).toBe('Attic');
  names.dispose();
});
