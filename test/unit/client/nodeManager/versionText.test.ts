import { expect, it } from 'vitest';
import { isVersion } from '../../../../src/core/client/nodeManager/versionText';

it.each([
  ['1.4.2', '1.4.2', true],
  ['2.5.0', '2.5', true],
  ['1.0', '1.0.0', true],
  ['1.4.3', '1.4.2', false],
  ['1.4.20', '1.4.2', false],
  ['1.40', '1.4', false],
  ['1.4.2-beta', '1.4.2', false],
  ['nightly', '1.4.2', false],
  ['unknown', 'unknown', true],
  [undefined, '1.4.2', false],
])('a version %s is %s: %s', (one, other, same) => {
  expect(isVersion(one, other)).toBe(same);
});
