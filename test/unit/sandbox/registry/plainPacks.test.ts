import { expect, it } from 'vitest';
import { sandboxPacks } from '../../../../src/sandbox/registry/packStore';

/** What users see of a pack; members have addresses as in the real registry, and nobody sees those. */
function words(): string {
  return JSON.stringify(
    sandboxPacks.map(({ record, versions }) => ({ ...record, versions, publisher: undefined })),
  );
}

it('the packs that people practice with contain no markup, no lures and no e-mail addresses', () => {
  expect(words()).not.toMatch(/<\w|\]\(|phish|@/i);
});
