import { describe, expect, it } from 'vitest';
import { RunStore } from '../../../src/core/runLife/runStore';
import { JobStore } from '../../../src/core/jobs/jobStore';
import {
  addressProblem,
  isPlainRemote,
  knownServers,
  nameProblem,
  ServerNames,
  serverOrigin,
} from '../../../src/host/servers/knownServers';
import { origin, putRecordedJob, server, start, stored } from '../jobs/observations';

describe('knownServers', () => {
  it('offers the three built-in servers first', () => {
    expect(knownServers([], undefined).map(({ name }) => name)).toEqual([
      'Comfy Cloud',
      'Local ComfyUI',
      'Sandbox',
    ]);
  });

  it('gives the sandbox an address only while it runs', () => {
    const sandbox = (url: string | undefined) => knownServers([], url).find(({ kind }) => kind === 'sandbox');
    expect(sandbox(undefined)?.url).toBeUndefined();
    expect(sandbox('http://127.0.0.1:4000')?.url).toBe('http://127.0.0.1:4000');
  });

  it('completes addresses without a scheme', () => {
    const entries = [{ name: 'Studio', url: 'localhost:8188' }];
    expect(knownServers(entries, undefined).at(-1)?.url).toBe('http://localhost:8188');
  });

  it('skips invalid entries of a hand-edited setting', () => {
    const entries = [
      { name: 'Studio', url: 'https://comfy.example.org/base' },
      { name: 'Studio', url: 'https://other.example.org' },
      { name: 'Comfy Cloud', url: 'https://evil.example.org' },
      { name: '', url: 'https://nameless.example.org' },
      { name: 'Files', url: 'file:///etc' },
      { name: 'Secret', url: 'https://user:word@example.org' },
      'text',
      null,
      { name: 7, url: 8 },
    ];
    const own = knownServers(entries, undefined).filter(({ kind }) => kind === 'own');
    expect(own).toEqual([{ kind: 'own', name: 'Studio', url: 'https://comfy.example.org/base' }]);
  });
});

describe('addressProblem', () => {
  it.each(['http://127.0.0.1:8188', 'https://comfy.example.org/', ' http://10.0.0.5:8188 '])(
    'accepts %s',
    (text) => {
      expect(addressProblem(text)).toBeUndefined();
    },
  );

  it.each([
    '',
    '127.0.0.1:8188',
    'comfy',
    'ftp://example.org',
    'https://a:b@example.org',
    'https://example.org/?token=x',
  ])('explains what is wrong with %j', (text) => expect(addressProblem(text)).toMatch(/\.$/));
});

describe('plain http beyond this machine', () => {
  it.each([
    ['http://10.0.0.5:8188', true],
    ['http://comfy.example.org', true],
    ['http://127.0.0.1:8188', false],
    ['http://localhost:8188', false],
    ['https://10.0.0.5', false],
  ])('%s: %s', (url, plain) => expect(isPlainRemote(url)).toBe(plain));
});

it('does not allow two servers with one name', () => {
  const servers = knownServers([{ name: 'Studio', url: 'https://comfy.example.org' }], undefined);
  expect(nameProblem('Studio', servers)).toBeDefined();
  expect(nameProblem('Sandbox', servers)).toBeDefined();
  expect(nameProblem(' ', servers)).toBeDefined();
  expect(nameProblem('Attic', servers)).toBeUndefined();
});

it('tells servers of one origin apart by their paths', () => {
  expect(serverOrigin({ kind: 'own', name: 'Studio', url: 'https://comfy.example.org/base/' })).toBe(
    'https://comfy.example.org/base',
  );
});

it('a server missing from the settings keeps the name its jobs were sent under', () => {
  const store = new JobStore();
  const runs = new RunStore(store);
  const names = new ServerNames(runs);
  expect(names.of(server)).toBeUndefined();
  const sandbox = 'http://127.0.0.1:40001';
  const old = {
    ...stored('completed', 'old'),
    server: sandbox,
    origin: { ...origin, serverName: 'Sandbox' },
  };
  putRecordedJob(runs, old);
  expect(names.of(sandbox)).toBe('Sandbox');
  const named = { ...origin, serverName: 'Attic' };
  store.observe({ kind: 'submitted', id: 'new', server, origin: named, at: start });
  expect(names.of(server)).toBe('Attic');
  names.dispose();
});
