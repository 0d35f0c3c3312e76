import { type ExactValue, isExactList, isExactObject } from '../../json/exactValue';
import { convertedValue } from '../valueAsRead';
import { unwrapLiteral } from '../convertLiteral';
import { type InputRule, type InputSubject, valuePlace } from '../rule';
import { shown } from '../wording';

const wanted: Readonly<Record<string, string>> = { INT: 'an integer', FLOAT: 'a number' };

/** Values that the server cannot convert to the type of the input (workflows 4.5). */
export const valueTypes: InputRule = (subject, _context, report) => {
  const { node, declared, value } = subject;
  const type = declared.spec.rawType;
  const words = typeof type === 'string' ? wanted[type] : undefined;
  if (words === undefined || isExactList(value) || convertedValue(subject) !== undefined) return;
  const texts = nearest(subject, unwrapLiteral(value));
  const place = valuePlace(node, declared.name);
  const next = texts[0] === undefined ? '' : ` Use ${texts[0]}.`;
  report({
    code: 'value-type',
    ...place,
    message: `${declared.name} must be ${words}, not ${shown(value)}.${next}`,
    counts: 'checked',
    fix: { kind: 'replaceText', range: place.range, texts },
  });
};

/** What the value may have been meant to be: the number in a text, else the default. */
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
    texts.push(shown(standard));
  return [...new Set(texts)];
}
