import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { nodePrice, type PricedInputs } from '../../../src/core/language/price/nodePrice';
import { budgets } from '../../../src/core/safety/budgets';

/** The price of a node type with that badge. */
function price(expr: string, inputs: Partial<PricedInputs> = {}, groups: readonly string[] = []): unknown {
  const depends_on = { widgets: [{ name: 'text', type: 'STRING' }], inputs: [], input_groups: groups };
  const price_badge = { depends_on, expr };
  const definition = Catalog.fromDefinitions({
    Paid: { api_node: true, input: {}, output: [], price_badge },
  }).get('Paid');
  return definition && nodePrice(definition, { values: new Map(), linked: new Set(), ...inputs });
}

const usd = (amount: string): string => `{"type": "usd", "usd": ${amount}}`;
const doubled = (times: number, step: string): string => Array(times).fill(step).join(';');

describe('a hostile price expression', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'has no operator named %s',
    (name) => {
      expect(price(usd(`(0.1 ${name} 0.2)`))).toBe('The price depends on text.');
    },
  );

  it.each([
    ['doubles a text', `($a := "xx"; ${doubled(60, '$a := $a & $a')}; ${usd('$length($a)')})`],
    ['doubles a list', `($a := [false]; ${doubled(60, '$a := [$a, $a]')}; ${usd('$a ? 1 : 2')})`],
    ['compares long texts', usd(`$contains(widgets.text, "b${'a'.repeat(20_000)}") ? 1 : 2`)],
    ['matches backtracking patterns', usd('$match(widgets.text, /(a+)+b/) ? 1 : 2')],
    ['matches long texts', `(${doubled(30, '$match(widgets.text, /[b]/)')}; ${usd('(1)')})`],
    ['calls itself', `($f := function($x) {$f($x) + $f($x)}; ${usd('$f(1)')})`],
    [
      'calls a long function often',
      `($f := function() {[${'1,'.repeat(15_000)}1]}; ${'$f();'.repeat(400)} ${usd('(1)')})`,
    ],
  ])('is aborted when it %s', (_what, expr) => {
    const values = new Map([['text', 'a'.repeat(40_000)]]);
    expect(price(expr, { values })).not.toMatch(/^\$\d/);
  });

  it('receives no text longer than a price may depend on', () => {
    const of = (length: number): unknown =>
      price(usd('$length(widgets.text)'), { values: new Map([['text', 'x'.repeat(length)]]) });
    expect(of(budgets.priceText)).toBe(`$${budgets.priceText.toFixed(2)} per run`);
    expect(of(budgets.priceText + 1)).not.toMatch(/^\$\d/);
  });

  it('counts the linked inputs of a group', () => {
    const linked = new Set(['images.a', 'images.b', 'imagesOther.c', 'images.sub.d', 'x']);
    expect(price(usd('inputGroups.images'), { linked }, ['images'])).toBe('$3.00 per run');
  });
});
