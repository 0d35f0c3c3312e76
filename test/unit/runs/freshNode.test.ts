import { expect, it } from 'vitest';
import { DefinitionsReader } from '../../../src/core/server/serverDefinitions';

it('a refreshed node type replaces the definitions only if it changed', async () => {
  let files = ['a.pt'];
  const loader = (): object => ({ input: { required: { name: [files] } }, output: [] });
  let readings = 0;
  const source = new DefinitionsReader({
    client: {
      objectInfo: () => Promise.resolve(JSON.stringify({ Loader: loader() })),
      singleObjectInfo: (classType) =>
        Promise.resolve(classType === 'Loader' ? JSON.stringify({ Loader: loader() }, null, 2) : '{}'),
      systemStats: () => Promise.reject(new Error('not there')),
    },
    transport: { request: () => Promise.reject(new Error('not there')) },
    lifetime: new AbortController().signal,
    now: () => 0,
    onRead: () => readings++,
  });
  const first = await source.get();
  expect(await source.freshNode('Loader')).toBe(first);
  expect(await source.freshNode('Unknown')).toBe(first);
  expect(readings).toBe(1);
  files = ['a.pt', 'b.pt'];
  const next = await source.freshNode('Loader');
  expect(next.catalog?.toText('Loader')).toContain('b.pt');
  expect(readings).toBe(2);
});
