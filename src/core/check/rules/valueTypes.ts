import { type ExactValue, isExactList, isExactObject } from '../../json/exactValue';
import { convertedValue } from '../valueAsRead';
import { unwrapLiteral } from '../convertLiteral';
import { type InputRule, type InputSubject, valuePlace } from '../rule';
import { shown } from '../wording';
import { t } from '../../safety/localize';

/** Values that the server can't convert to the type of the input (workflows 4.5). */
export const valueTypes: InputRule = (subject, _context, report) => {
  const { node, declared, value } = subject;
  const type = declared.spec.rawType;
  if (type !== 'INT' && type !== 'FLOAT') return;
  if (isExactList(value) || convertedValue(subject) !== undefined) return;
  const texts = nearest(subject, unwrapLiteral(value));
  const place = valuePlace(node, declared.name);
  const message =
    type === 'INT'
      ? t`${declared.name} must be an integer, not ${shown(value)}.`
      : t`${declared.name} must be a number, not ${shown(value)}.`;
  report({
    code: 'value-type',
    ...place,
    message: texts[0] === undefined ? message : t`${message} Use ${texts[0]}.`,
    counts: 'checked',
    fix: { kind: 'replaceText', range: place.range, texts },
  });
};

/** What the value may have meant: the number in a string, or else the default. */
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
