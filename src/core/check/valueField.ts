import type { Catalog } from '../catalog/catalog';
import type { InputSpec } from '../catalog/inputSpec';
import type { ExactValue } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import type { JsonNode } from '../json/node';
import { t } from '../safety/localize';
import { promptFromText } from '../workflow/prompt';
import { checkPrompt } from './checkPrompt';
import { type CheckCode, valueCodes } from './codes';

/** The values that a form accepts for an input. Numbers are kept as text, so no digit is lost. */
export interface ValueField {
  readonly kind: 'int' | 'float' | 'boolean' | 'options' | 'text' | 'other';
  /** The limits and the step of a number, in words. */
  readonly hint?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly step?: string | undefined;
  readonly options?: readonly string[] | undefined;
}

/** The field for an input. @param value that it has now: all that is known without a definition */
export function makeValueField(spec: InputSpec | undefined, value: JsonNode | undefined): ValueField {
  switch (spec?.kind) {
    case undefined:
      return { kind: kindOfValue(value) };
    case 'int':
    case 'float': {
      const [min, max] = [numberIn(spec, 'min'), numberIn(spec, 'max')];
      const { kind } = spec;
      const step = stepOf(spec);
      return { kind, min, max, step, hint: limitWords({ kind, min, max, step }) };
    }
    case 'boolean':
      return { kind: 'boolean', options: ['true', 'false'] };
    case 'combo':
      // Several of the options at once are a list, in JSON.
      return spec.multiselect
        ? { kind: 'other' }
        : { kind: 'options', options: spec.choices.map(optionText) };
    case 'dynamicCombo':
      return { kind: 'options', options: spec.branches.map(({ key }) => optionText(key)) };
    case 'string':
      return { kind: 'text' };
    default:
      return { kind: 'other' };
  }
}

function optionText(option: ExactValue): string {
  return typeof option === 'string' ? option : writeExact(option);
}

/** Options as one selects them: as JSON where a text among them looks like another option. */
export function optionTexts(options: readonly ExactValue[]): readonly string[] {
  const [texts, exact] = [options.map(optionText), options.map(writeExact)];
  return new Set(texts).size === new Set(exact).size ? texts : exact;
}

/** A node whose values are judged. What one of them may be can depend on the others. */
export interface JudgedNode {
  readonly classType: string;
  /** Input -> JSON text, without links. */
  readonly values: ReadonlyMap<string, string>;
}

export interface WrongValue {
  readonly text: string;
  readonly message: string;
}

const mostWrong = 3;
const longestOther = 200;
/** Characters of the nodes that are judged at once, and in all: a run judges the rest. */
const [judgedAtOnce, mostJudged] = [1_000_000, 8_000_000];
const frame = 100;

/** The codes by which a node type's definition rejects a value. Files aren't judged, because a run uploads them. */
const against: ReadonlySet<CheckCode> = new Set([...valueCodes, 'dynamic-key-unknown']);

/** The first few values (JSON texts) that an input can't have, by the rules that check a workflow file. */
export function wrongValues(
  { classType, values }: JudgedNode,
  input: string,
  texts: readonly string[],
  catalog: Catalog,
): readonly WrongValue[] {
  if (!catalog.get(classType)) return [];
  const others = [...values].flatMap(([name, value]) =>
    name === input ? [] : [memberText(name, value.length > longestOther ? '""' : value)],
  );
  const start = `{"class_type":${JSON.stringify(classType)},"inputs":{${others.map((each) => `${each},`).join('')}`;
  const wrong = new Map<string, WrongValue>();
  const most = Math.ceil(mostJudged / (start.length + frame));
  const step = Math.ceil(judgedAtOnce / (start.length + frame));
  for (let from = 0; from < Math.min(texts.length, most); from += step) {
    const judged = texts.slice(from, from + step);
    const nodes = judged.map((text, index) => `"${index}":${start}${memberText(input, text)}}}`);
    const { ruleFindings } = checkPrompt(promptFromText(`{${nodes.join()}}`), { catalog }, true);
    for (const { code, nodeId = '', input: at, message } of ruleFindings) {
      const text = judged[Number(nodeId)];
      if (at === input && text !== undefined && against.has(code) && !wrong.has(text))
        wrong.set(text, { text, message });
      if (wrong.size === mostWrong) return [...wrong.values()];
    }
  }
  return [...wrong.values()];
}

function memberText(name: string, value: string): string {
  return `${JSON.stringify(name)}:${value}`;
}

function kindOfValue(value: JsonNode | undefined): ValueField['kind'] {
  switch (value?.kind) {
    case 'number':
      return 'float';
    case 'string':
      return 'text';
    case 'boolean':
      return 'boolean';
    default:
      return 'other';
  }
}

function numberIn({ options }: InputSpec, name: string): string | undefined {
  const value = options.get(name);
  const isLimit = typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
  return isLimit ? writeExact(value).replace(/\.0$/, '') : undefined;
}

/** 1 is what integers have anyway. */
function stepOf(spec: InputSpec): string | undefined {
  const step = numberIn(spec, 'step');
  return step !== undefined && Number(step) > 0 && !(spec.kind === 'int' && step === '1') ? step : undefined;
}

function limitWords({ kind, min, max, step }: ValueField): string {
  const isInt = kind === 'int';
  const range = rangeWords(isInt, min, max);
  return step === undefined ? range : t`${range}, in steps of ${step}`;
}

function rangeWords(isInt: boolean, min: string | undefined, max: string | undefined): string {
  const kind = isInt ? t`Whole number` : t`Number`;
  if (min !== undefined && max !== undefined) return t`${kind} from ${min} to ${max}`;
  if (min !== undefined) return t`${kind} of at least ${min}`;
  return max === undefined ? kind : t`${kind} of at most ${max}`;
}
