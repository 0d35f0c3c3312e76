import { describe, it } from 'vitest';
import { Secrets } from '../../../src/core/safety/secrets';
import { expectGentleGrowth } from '../../support/growth';
import { canaryKey } from '../../support/secretForms';

const key = canaryKey('canary');

const hostile: Readonly<Record<string, (size: number) => string>> = {
  'addresses without an end': (size) => 'a-'.repeat(size / 2),
  'a header with spaces': (size) => `authorization:${' '.repeat(size)}`,
  'escaped percent signs': (size) => '\\u0025'.repeat(size / 6),
  'the beginning of the key with gaps': (size) => (key.slice(0, 24) + ' '.repeat(39)).repeat(size / 63),
};

describe('the time to hide secrets', { timeout: 240_000 }, () => {
  const secrets = new Secrets();
  for (const text of [key, 'a'.repeat(60), 'short', 'middling-1']) secrets.add(text);
  for (let number = 0; number < 50; number++)
    secrets.addAddress(`https://s.example/${'a'.repeat(2000)}?sig=${'a'.repeat(2000)}${number}`);

  it.each(Object.entries(hostile))('grows only with the text: %s', async (_, input) => {
    await expectGentleGrowth({
      from: 100_000,
      to: 1_600_000,
      input,
      run: (text) => secrets.scrub(text),
    });
  });
});
