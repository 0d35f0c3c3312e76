import { describe, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { evaluatePrice } from '../../../src/core/language/price/expression';
import { nodePrice } from '../../../src/core/language/price/nodePrice';
import { expectGentleGrowth } from '../../support/growth';
import { numbers } from './shapes';

/** The price of a node type whose badge counts the linked inputs of groups. */
function priceOf(groups: readonly string[], linked: ReadonlySet<string>): unknown {
  const depends_on = { widgets: [], inputs: [], input_groups: groups };
  const price_badge = { depends_on, expr: '{"type": "usd", "usd": 1}' };
  const definition = Catalog.fromDefinitions({
    Paid: { api_node: true, input: {}, output: [], price_badge },
  }).get('Paid');
  return definition && nodePrice(definition, { values: new Map(), linked });
}

describe('reading a price expression', { timeout: 120_000 }, () => {
  it.each<[string, (size: number) => string]>([
    ['a sum', (size) => `1${'+1'.repeat(size)}`],
    ['blocks in blocks', (size) => '('.repeat(size) + ')'.repeat(size)],
    ['signs', (size) => `${'-'.repeat(size)}1`],
    ['steps', (size) => `(${'$a := 1;'.repeat(size)} $a)`],
    ['members', (size) => `a${'.a'.repeat(size)}`],
    ['choices', (size) => `${'1 ? 1 : '.repeat(size)}1`],
    ['a comment that never ends', (size) => '/*'.repeat(size)],
    ['a text that never ends', (size) => `"${'\\"'.repeat(size)}`],
  ])('takes time that grows with it: %s', async (_name, input) => {
    await expectGentleGrowth({
      from: 512,
      to: 20_000,
      input,
      run: (text) => {
        try {
          evaluatePrice(text, {});
        } catch {
          // A refusal is fast enough.
        }
      },
    });
  });

  it('counts linked inputs once for all groups', async () => {
    await expectGentleGrowth({
      from: 512,
      to: 20_000,
      input: (size) => ({
        linked: new Set(numbers(size).map((id) => `group${id}.a`)),
        groups: numbers(size).map((id) => `group${id}`),
      }),
      run: ({ linked, groups }) => priceOf(groups, linked),
    });
  });
});
