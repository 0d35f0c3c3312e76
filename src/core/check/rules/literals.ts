import { isNumeric, compareNumbers } from '../../json/exactEquals';
import { type ExactValue, isExactList, isExactObject } from '../../json/exactValue';
import { writeExact } from '../../json/exactWriter';
import { type InputRule, type InputSubject, type PromptRule, valuePlace } from '../rule';
import { fittingOutput, shownExact } from '../wording';
import { typesMadeByNodes } from '../../workflow/graph/members';
import { sentencesText, t } from '../../safety/localize';
import type { JsonNode, JsonNonFinite, JsonRange } from '../../json/node';
import type { RuleFinding } from '../rule';
import type { FixHint } from '../finding';
import { unwrapLiteral } from '../convertLiteral';
import { placeholderIn, setAdvice } from './placeholders';
import type { InputSpec } from '../../catalog/inputSpec';
import { checkConverted, convertInput } from '../literalErrors';
import { PythonRaise } from '../pythonRaise';
import type { ValidationError } from '../literalErrors';
import { isLeftToValidator } from '../validators';

/** The server never checks steps (workflows 4.2), so this is only a hint. */
export const valuesOffStep: InputRule = (subject, _context, report) => {
  const { node, declared, validator } = subject;
  const { name, spec } = declared;
  const { value } = literalVerdict(subject);
  if (validator || value === undefined || isOutside(value, spec)) return;
  const nearest = nearestOf(value, spec);
  if (nearest === undefined || isOutside(nearest, spec)) return;
  report({
    code: 'off-step',
    ...valuePlace(node, name),
    message: t`${name} has steps, and ${shownExact(value)} is between two of them. The server accepts it, but the ComfyUI editor changes it to ${shownExact(nearest)} when you edit it.`,
  });
};

function isOutside(value: ExactValue, { options }: InputSpec): boolean {
  const [min, max] = [options.get('min'), options.get('max')];
  if (!isNumeric(value)) return true;
  return (
    (isNumeric(min) && compareNumbers(value, min) < 0) || (isNumeric(max) && compareNumbers(value, max) > 0)
  );
}

function nearestOf(value: ExactValue, spec: InputSpec): bigint | number | undefined {
  if (spec.kind === 'int' && typeof value === 'bigint') return nearestInt(value, spec.step, spec.min);
  if (spec.kind !== 'float' || typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const step = roundingOf(spec);
  if (step === undefined) return undefined;
  const count = value / step;
  // Decimal fractions are never exact: smaller differences count as on the step.
  if (Math.abs(count - Math.round(count)) <= 1e-6 * Math.max(1, Math.abs(count))) return undefined;
  return Number((Math.round(count) * step).toPrecision(12));
}

function nearestInt(
  value: bigint,
  step: bigint | number | undefined,
  min: bigint | number | undefined,
): bigint | undefined {
  if (typeof step !== 'bigint' || step < 2n) return undefined;
  const start = typeof min === 'bigint' ? min % step : 0n;
  const rest = (((value - start) % step) + step) % step;
  if (rest === 0n) return undefined;
  return rest * 2n >= step ? value + step - rest : value - rest;
}

/** The rounding of fractions: `round` if it is a number, or else as many digits as the step has. */
function roundingOf({
  round,
  step = 0.5,
  options,
}: Extract<InputSpec, { kind: 'float' }>): number | undefined {
  if (round !== undefined && round > 0) return round;
  if (options.get('round') === false || !(step > 0)) return undefined;
  return 10 ** -Math.max(0, -Math.floor(Math.log10(step)));
}

/** Numbers outside the limits of the input, compared with every digit (workflows 4.2, rows 7 and 8). */
export const valuesOutOfRange: InputRule = (subject, _context, report) => {
  const { node, declared } = subject;
  const { name, spec } = declared;
  if (!spec.options.has('min') && !spec.options.has('max')) return;
  const { value, error } = literalVerdict(subject);
  const isBelow = error?.type === 'value_smaller_than_min';
  if (value === undefined || (!isBelow && error?.type !== 'value_bigger_than_max')) return;
  const limit = spec.options.get(isBelow ? 'min' : 'max');
  if (!isNumeric(value) || !isNumeric(limit)) return;
  const place = valuePlace(node, name);
  report({
    code: isBelow ? 'below-minimum' : 'above-maximum',
    ...place,
    message: isBelow
      ? t`${name} must be at least ${digits(limit)}; ${digits(value)} is too small.`
      : t`${name} must be at most ${digits(limit)}; ${digits(value)} is too large.`,
    counts: 'checked',
    fix: { kind: 'replaceText', range: place.range, texts: [writeExact(limit)] },
  });
};

function digits(value: ExactValue): string {
  return shownExact(value).replace(/\.0$/, '');
}

/** Bare NaN and Infinity: Python servers read them, other programs reject the entire file. */
export const nonFinite: PromptRule = ({ view }, report) => {
  const { document, nodes } = view.prompt;
  if (!document.problems.some(({ kind }) => kind === 'nonFinite')) return;
  for (const { id, inputs } of nodes) {
    for (const { name, valueNode } of inputs) {
      for (const found of nonFiniteIn(valueNode)) {
        report({ ...nonFiniteFinding(found, found.text), nodeId: id, input: name });
      }
    }
  }
};

export function nonFiniteFinding(range: JsonRange, text: string): RuleFinding {
  return {
    code: 'non-finite-number',
    range,
    message: t`${text} isn't valid JSON. This server accepts it, but most other programs don't. Use a number or null.`,
    counts: 'always',
    fix: { kind: 'replaceText', range, texts: ['0', 'null'] },
  };
}

function nonFiniteIn(node: JsonNode): JsonNonFinite[] {
  if (node.kind === 'nonFinite') return [node];
  if (node.kind === 'array') return node.items.flatMap(nonFiniteIn);
  if (node.kind === 'object')
    return node.properties.flatMap(({ value }) => (value ? nonFiniteIn(value) : []));
  return [];
}

/** Values that the server converts in ways that surprise: text to true, anything to text, fractions cut (workflows 4.5). */
export const convertedValues: InputRule = ({ node, declared, value: written }, { server }, report) => {
  if (isExactList(written)) return;
  const { name, spec } = declared;
  const value = unwrapLiteral(written);
  const place = valuePlace(node, name);
  const put = (text: string): FixHint => ({ kind: 'replaceText', range: place.range, texts: [text] });
  if (spec.rawType === 'BOOLEAN' && typeof value === 'string') {
    const taken = value === '' ? 'false' : 'true';
    const meant = /^(?:false|no|off|0|none|disabled?|)$/i.test(value.trim()) ? 'false' : 'true';
    const message = t`${name} is a Boolean, and ${server} reads the string ${shownExact(value)} as ${taken}. Use ${meant}.`;
    report({ code: 'text-for-boolean', ...place, message, fix: put(meant) });
  } else if (spec.rawType === 'STRING' && typeof value !== 'string') {
    const text = value === null ? '""' : JSON.stringify(shownExact(value));
    const message = isExactObject(value)
      ? t`${name} is a string, and ${server} converts ${shownExact(value)} to one. Use the string you mean.`
      : t`${name} is a string, and ${server} converts ${shownExact(value)} to one. Use ${text}.`;
    report({ code: 'value-not-text', ...place, message, fix: isExactObject(value) ? undefined : put(text) });
  } else if (
    spec.rawType === 'INT' &&
    typeof value === 'number' &&
    Number.isFinite(value) &&
    !Number.isInteger(value)
  ) {
    const whole = String(Math.trunc(value));
    const message = t`${name} is an integer, so ${server} truncates ${shownExact(value)} to ${whole}.`;
    report({ code: 'fraction-cut', ...place, message, fix: put(whole) });
  }
};

/** Values and null where only a node can provide what is needed: the server accepts them, and the node fails. */
export const literalOnSocket: InputRule = ({ node, declared, value }, { server }, report) => {
  const { spec, name, section } = declared;
  if (isExactList(value) || isExactObject(value)) return;
  const types = spec.kind === 'union' ? spec.types : spec.kind === 'socket' ? [spec.type] : [];
  if (
    types.length === 0 ||
    spec.widgetType !== undefined ||
    !types.every((type) => typesMadeByNodes.has(type))
  )
    return;
  const isEmptyOption = value === null && section === 'optional';
  report({
    code: 'literal-on-socket',
    ...valuePlace(node, name),
    severity: isEmptyOption ? 'hint' : undefined,
    message: isEmptyOption
      ? t`${name} is optional. Remove it instead of setting it to null.`
      : t`${name} must be linked to ${fittingOutput(spec)}. ${server} accepts ${shownExact(value)}, but the node fails at run time.`,
    fix: isEmptyOption
      ? { kind: 'removeInput', nodeId: node.id, input: name }
      : { kind: 'chooseLink', nodeId: node.id, input: name, type: spec.type },
  });
};

/** Values that the server can't convert to the type of the input (workflows 4.5). */
export const valueTypes: InputRule = (subject, _context, report) => {
  const { node, declared, value } = subject;
  const type = declared.spec.rawType;
  if (type !== 'INT' && type !== 'FLOAT') return;
  if (literalVerdict(subject).error?.type !== 'invalid_input_type') return;
  const written = unwrapLiteral(value);
  const isPlaceholder = typeof written === 'string' && placeholderIn(written) !== undefined;
  const texts = nearest(subject, written);
  const place = valuePlace(node, declared.name);
  const message =
    type === 'INT'
      ? t`${declared.name} must be an integer, not ${shownExact(value)}.`
      : t`${declared.name} must be a number, not ${shownExact(value)}.`;
  report({
    code: 'value-type',
    ...place,
    message: isPlaceholder
      ? sentencesText(message, setAdvice(node.id, declared.name, texts[0] ?? '1'))
      : texts[0] === undefined
        ? message
        : t`${message} Use ${texts[0]}.`,
    counts: 'checked',
    fix: { kind: 'replaceText', range: place.range, texts },
  });
};

function nearest({ declared }: InputSubject, value: ExactValue): string[] {
  const { spec } = declared;
  const isInt = spec.kind === 'int';
  const texts: string[] = [];
  if (typeof value === 'string') {
    const number = Number(value.trim().replace(',', '.'));
    if (value.trim() !== '' && Number.isFinite(number))
      texts.push(String(isInt ? Math.trunc(number) : number));
  }
  const standard = spec.default;
  if (standard !== undefined && !isExactList(standard) && !isExactObject(standard))
    texts.push(shownExact(standard));
  return [...new Set(texts)];
}

/** The server's error about a literal, and the value that it continues with, also for nodes that it never reaches. */
function literalVerdict({ node, declared, value, validator }: InputSubject): {
  readonly value?: ExactValue;
  readonly error?: ValidationError | undefined;
} {
  if (isExactList(value)) return {};
  const { range } = valuePlace(node, declared.name);
  const place = { nodeId: node.id, range };
  const converted = convertInput(declared, unwrapLiteral(value), place);
  if ('error' in converted || isLeftToValidator(validator, declared.name)) return converted;
  try {
    return { value: converted.value, error: checkConverted(declared, converted.value, place) };
  } catch (error) {
    if (!(error instanceof PythonRaise)) throw error;
    return converted;
  }
}
