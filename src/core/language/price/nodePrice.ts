import { countAt } from '../../safety/lists';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { textOption } from '../../catalog/readInputSpec';
import { type ExactObject, type ExactValue, isExactList, isExactObject } from '../../json/exactValue';
import { budgets } from '../../safety/budgets';
import { evaluatePrice } from './expression';
import { isList, isTable, type PriceValue, Unsupported } from './builtIns';
import { t } from '../../safety/localize';

const deepestGroup = 8;

export interface PricedInputs {
  readonly values: ReadonlyMap<string, ExactValue>;
  readonly linked: ReadonlySet<string>;
}

/** The price of running a paid node, in a few words; undefined if its badge does not say. */
export function nodePrice({ priceBadge }: NodeDefinition, inputs?: PricedInputs): string | undefined {
  const expression = priceBadge && textOption(priceBadge, 'expr');
  if (expression === undefined) return undefined;
  const depends = priceBadge?.get('depends_on');
  const names = isExactObject(depends) ? namesIn(depends.get('widgets')) : [];
  const own = inputs && priceOfInputs(expression, isExactObject(depends) ? depends : undefined, inputs);
  return own ?? priceOfText(expression, names);
}

function priceOfInputs(
  expression: string,
  depends: ExactObject | undefined,
  { values, linked }: PricedInputs,
): string | undefined {
  try {
    const widgets = namesIn(depends?.get('widgets')).map((name) => [name, asPage(values.get(name))] as const);
    const slots = namesIn(depends?.get('inputs')).map((name) => {
      return [name, new Map([['connected', linked.has(name)]])] as const;
    });
    const members = membersOfGroups(linked);
    const groups = namesIn(depends?.get('input_groups')).map(
      (name) => [name, countAt(members, name)] as const,
    );
    const price = evaluatePrice(expression, {
      widgets: new Map(widgets),
      inputs: new Map(slots),
      inputGroups: new Map(groups),
    });
    return isTable(price) ? wordsOf(price) : undefined;
  } catch (error) {
    // Nested deeper than can be read, or something that badges do not use so far.
    if (error instanceof Unsupported || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The number of inputs below each name: `images.a.b` below `images` and `images.a`. */
function membersOfGroups(linked: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of linked) {
    // Groups are rarely nested deeply; a name of dots alone must not create one for each.
    let dot = name.indexOf('.');
    for (let depth = 0; dot >= 0 && depth < deepestGroup; depth++, dot = name.indexOf('.', dot + 1)) {
      const group = name.slice(0, dot);
      counts.set(group, countAt(counts, group) + 1);
    }
  }
  return counts;
}

/** Values as in the ComfyUI editor: strings in lower case. */
function asPage(value: ExactValue | undefined): PriceValue {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') {
    if (value.length > budgets.priceText) throw new Unsupported('a text that long');
    return value.trim().toLowerCase();
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

function wordsOf(price: ReadonlyMap<string, PriceValue>): string | undefined {
  const [type, usd, format] = [price.get('type'), price.get('usd'), price.get('format')];
  if (type === 'text') {
    const text = price.get('text');
    return typeof text === 'string' ? text : undefined;
  }
  const amounts =
    type === 'range_usd' ? [price.get('min_usd'), price.get('max_usd')] : isList(usd) ? usd : [usd];
  const told = amounts.flatMap((each) => (typeof each === 'number' ? [dollars(each)] : []));
  if (told.length === 0 || told.length < amounts.length) return undefined;
  const look = isTable(format) ? format : new Map<string, PriceValue>();
  const [low = '', high] = [...new Set(told)];
  const amount =
    type === 'range_usd' && high !== undefined ? t`${low} to ${high}` : [...new Set(told)].join(' / ');
  const [suffix, note] = [look.get('suffix'), look.get('note')];
  const priced = withUnit(amount, typeof suffix === 'string' ? suffix : undefined);
  const whole = look.get('approximate') === true ? t`about ${priced}` : priced;
  return typeof note === 'string' ? `${whole} ${note}` : whole;
}

function withUnit(amount: string, unit: string | undefined): string {
  return unit === undefined ? t`${amount} per run` : `${amount}${unit}`;
}

function dollars(amount: number): string {
  return `$${amount >= 0.1 ? amount.toFixed(2) : String(Number(amount.toPrecision(3)))}`;
}

/** The price as far as a badge's text gives it for all inputs. */
function priceOfText(expression: string, inputs: readonly string[]): string | undefined {
  const on = inputs.join(', ');
  const amounts = [...expression.matchAll(/"(?:usd|min_usd|max_usd)"\s*:\s*([^\s,}]+)/g)].map(([, text]) =>
    Number(text),
  );
  const units = new Set([...expression.matchAll(/"suffix"\s*:\s*"([^"]*)"/g)].map(([, unit]) => unit ?? ''));
  // A computed price, or one in several units, can't be derived from the text alone.
  if (amounts.length === 0 || amounts.some(Number.isNaN) || units.size > 1) {
    return on === '' ? undefined : t`The price depends on ${on}.`;
  }
  const low = amounts.reduce((a, b) => Math.min(a, b), Infinity);
  const high = amounts.reduce((a, b) => Math.max(a, b), -Infinity);
  const amount = low === high ? `$${low}` : t`${`$${low}`} to ${`$${high}`}`;
  const price = withUnit(amount, [...units][0]);
  return on === '' ? price : t`${price} (depends on ${on})`;
}

function namesIn(list: ExactValue | undefined): string[] {
  if (!isExactList(list)) return [];
  return list.flatMap((each) => {
    const name = isExactObject(each) ? each.get('name') : each;
    return typeof name === 'string' ? [name] : [];
  });
}
