import { expect, it } from 'vitest';
import { versionedName } from '../../../src/host/platform/versionedName';

it('a document of the Git extension is named with its version', () => {
  const named = (scheme: string, ref: string): string => {
    const query = JSON.stringify({ path: '/flows/flow.json', ref });
    return versionedName({ scheme, path: '/flows/flow.json', query } as never);
  };
  expect(named('file', 'HEAD')).toBe('flow.json');
  expect(named('git', 'HEAD')).toBe('flow.json (HEAD)');
  expect(named('git', '')).toBe('flow.json (Index)');
  expect(named('git', '~')).toBe('flow.json (Index)');
  expect(named('git', 'a'.repeat(40))).toBe('flow.json (aaaaaaa)');
});
