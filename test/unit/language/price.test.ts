import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { hoverAtOffset } from '../../../src/core/language/hover/hover';
import { evaluatePrice } from '../../../src/core/language/price/expression';
import { nodePrice } from '../../../src/core/language/price/nodePrice';
import { Unsupported } from '../../../src/core/language/price/builtIns';
import { marked } from './sample';

const none = { widgets: new Map() };

/** A paid node type whose price is this expression over these widgets. */
function paid(expr: string): Catalog {
  const names = ['quality', 'seconds'].map((name) => ({ name, type: 'COMBO' }));
  const input = {
    required: {
      quality: [['Standard', 'HD'], { default: 'Standard' }],
      seconds: ['INT', { default: 5 }],
    },
    optional: { image: ['IMAGE'] },
  };
  const price_badge = { depends_on: { widgets: names, inputs: ['image'], input_groups: [] }, expr };
  return Catalog.fromDefinitions({ Paid: { api_node: true, input, output: ['IMAGE'], price_badge } });
}

function told(expr: string, inputs: string): string {
  const { doc, offset } = marked(`{"1": {"class_type": "Pa¦id", "inputs": {${inputs}}}}`);
  return /spends credits\. (.*)/.exec(hoverAtOffset(doc, offset, paid(expr))?.markdown ?? '')?.[1] ?? '';
}

describe('the price of a node', () => {
  it('depends on its own inputs, defaults included', () => {
    const expr = `(
      $hd := $contains(widgets.quality, "hd");
      {"type": "usd", "usd": widgets.seconds * ($hd ? 0.2 : 0.1)}
    )`;
    expect(told(expr, '')).toBe('\\$0.50 per run');
    expect(told(expr, '"quality": "HD", "seconds": 10')).toBe('\\$2.00 per run');
  });

  it("is a range, a list or text, in the badge's unit", () => {
    const range = '{"type": "range_usd", "min_usd": 0.02, "max_usd": 0.5, "format": {"approximate": true}}';
    expect(told(range, '')).toBe('about \\$0.02 to \\$0.50 per run');
    const list = '{"type": "list_usd", "usd": [0.0011, 0.0044], "format": {"suffix": " per 1K tokens"}}';
    expect(told(list, '')).toBe('\\$0.0011 / \\$0.0044 per 1K tokens');
    expect(told('{"type": "text", "text": "Token-based"}', '')).toBe('Token\\-based');
  });

  it('knows which inputs are linked', () => {
    const expr = '{"type": "usd", "usd": inputs.image.connected ? 0.3 : 0.1}';
    expect(told(expr, '')).toBe('\\$0.10 per run');
    expect(told(expr, '"image": ["2", 0]')).toBe('\\$0.30 per run');
  });

  it("without a node is what the badge's text says", () => {
    const price = (expr: string): string | undefined => {
      const definition = paid(expr).get('Paid');
      return definition && nodePrice(definition);
    };
    const on = '(depends on quality, seconds)';
    expect(price('x ? {"usd": 0.05} : {"usd": 0.2}')).toBe(`$0.05 to $0.2 per run ${on}`);
    expect(price('{"usd": 0.05, "format": {"suffix": "/second"}}')).toBe(`$0.05/second ${on}`);
    expect(price('{"usd": $p}')).toBe('The price depends on quality, seconds.');
  });

  it("is not guessed when it can't be read", () => {
    expect(told('{"type": "usd", "usd": $eval("0.1")}', '')).toBe('The price depends on quality, seconds.');
    expect(told('{"type": "usd", "usd": widgets.seconds * 0.1}', '"seconds": ["2", 0]')).toBe(
      'The price depends on quality, seconds.',
    );
  });
});

describe('a price expression', () => {
  it('supports blocks, variables, functions, tables and lists', () => {
    const of = (text: string): unknown => evaluatePrice(text, none);
    expect(of('($a := 2; ($a := 3; $a); $a * 10 + 4 / 2 - -1)')).toBe(23);
    expect(of('($f := function($x, $y){ $x & "-" & $y }; $f("a", 1))')).toBe('a-1');
    expect(of('$lookup({"a": {"b": [5, 7]}}, "a").b[1]')).toBe(7);
    expect(of('$max([1, $round(2.345, 2)]) >= 2.35 and not_there = 1 ? "yes" : "no"')).toBe('no');
    expect(of('"b" in ["a", "b"] or false')).toBe(true);
    expect(of('$type(nothing) = "string" ? 1')).toBeUndefined();
  });

  it('always terminates', () => {
    const endless = '($f := function($x){ $f($x) }; $f(1))';
    expect(() => evaluatePrice(endless, none)).toThrow(Unsupported);
  });
});
