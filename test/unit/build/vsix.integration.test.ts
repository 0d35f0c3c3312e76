import { expect, it } from 'vitest';
import { vsceOptions } from '../../support/vsix';

it('README links point to the repository once the manifest names one', () => {
  expect(vsceOptions({})).toContain('--no-rewrite-relative-links');
  expect(vsceOptions({ repository: { url: 'https://example.com/deck.git' } })).toEqual(['--no-dependencies']);
});
