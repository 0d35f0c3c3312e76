import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../src/core/catalog/catalog';
import { evaluatePrice } from '../../src/core/language/price/expression';
import { isList, isTable, type PriceValue } from '../../src/core/language/price/builtIns';
import { isExactList, isExactObject } from '../../src/core/json/exactValue';
import { pythonStr } from '../../src/core/workflow/values';
import { corpusFolder, corpusNames, corpusNote, corpusText } from '../support/corpus';

type Inputs = Readonly<Record<string, string | number | boolean>>;

/** Every badge of the node definitions, with values of the types that its widgets have. */
function badges(): Map<string, Map<string, readonly Inputs[string][]>> {
  const found = new Map<string, Map<string, readonly Inputs[string][]>>();
  for (const file of corpusNames('object_info')) {
    if (!file.endsWith('.json')) continue;
    const text = corpusText('object_info', file);
    if (!text.includes('"price_badge"')) continue;
    for (const { priceBadge, inputs } of Catalog.fromText(text).definitions()) {
      const expression = priceBadge?.get('expr');
      const depends = priceBadge?.get('depends_on');
      const widgets = isExactObject(depends) ? depends.get('widgets') : undefined;
      if (typeof expression !== 'string' || !isExactList(widgets)) continue;
      const literals = [...expression.matchAll(/"([^"]+)"/g)].map(([, literal = '']) =>
        literal.toLowerCase(),
      );
      const values = widgets.filter(isExactObject).map((widget): [string, readonly Inputs[string][]] => {
        const [name, type] = [pythonStr(widget.get('name') ?? null), widget.get('type')];
        if (type === 'INT' || type === 'FLOAT') return [name, [0, 1, 4.27, 5, 0.1 + 0.2, 12, 480]];
        if (type === 'BOOLEAN') return [name, [true, false]];
        const spec = inputs.find((input) => input.name === name)?.spec;
        const choices =
          spec?.kind === 'combo' ? spec.choices.map((each) => pythonStr(each).toLowerCase()) : literals;
        return [name, [...choices, 'größer', 'plain text']];
      });
      found.set(expression, new Map(values));
    }
  }
  return found;
}

/** Combinations that reach each value of each input, in steps that differ from input to input. */
function combinations(choices: ReadonlyMap<string, readonly Inputs[string][]>): readonly Inputs[] {
  return Array.from({ length: 30 }, (_, round) =>
    Object.fromEntries(
      [...choices].flatMap(([name, values], index) => {
        const value = values[(round * (index + 1)) % values.length];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  );
}

function plain(value: PriceValue): unknown {
  if (isTable(value)) return Object.fromEntries([...value].map(([name, each]) => [name, plain(each)]));
  return isList(value) ? value.map(plain) : value;
}

const attempt = async (act: () => unknown): Promise<unknown> => {
  try {
    const value: unknown = await act();
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
  } catch {
    return 'refused';
  }
};

describe.skipIf(corpusFolder === undefined)(`price badges${corpusNote}`, () => {
  it('have the value that JSONata gives them', { timeout: 120_000 }, async () => {
    const wrong = new Map<string, unknown>();
    let compared = 0;
    for (const [expression, choices] of badges()) {
      const official = jsonata(expression);
      for (const widgets of combinations(choices)) {
        const inputs = { widgets, inputs: {}, inputGroups: {} };
        const none: PriceValue = new Map();
        const maps = { widgets: new Map(Object.entries(widgets)), inputs: none, inputGroups: none };
        const wanted = await attempt(() => official.evaluate(inputs));
        const given = await attempt(() => plain(evaluatePrice(expression, maps)));
        compared++;
        // A price of a value that no choice stands for is an error there, and simply no price here.
        if (wanted !== 'refused' && JSON.stringify(given) !== JSON.stringify(wanted))
          wrong.set(expression, { widgets, given, wanted });
      }
    }
    expect(compared).toBeGreaterThan(3_000);
    expect([...wrong]).toEqual([]);
  });
});
