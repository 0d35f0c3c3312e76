import { isExactList, isExactObject } from '../../json/exactValue';
import type { FixHint } from '../finding';
import { unwrapLiteral } from '../convertLiteral';
import { type InputRule, valuePlace } from '../rule';
import { shown } from '../wording';
import { t } from '../../safety/localize';

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
    const message = t`${name} is a Boolean, and ${server} reads the string ${shown(value)} as ${taken}. Use ${meant}.`;
    report({ code: 'text-for-boolean', ...place, message, fix: put(meant) });
  } else if (spec.rawType === 'STRING' && typeof value !== 'string') {
    const text = value === null ? '""' : JSON.stringify(shown(value));
    const message = isExactObject(value)
      ? t`${name} is a string, and ${server} converts ${shown(value)} to one. Use the string you mean.`
      : t`${name} is a string, and ${server} converts ${shown(value)} to one. Use ${text}.`;
    report({ code: 'value-not-text', ...place, message, fix: isExactObject(value) ? undefined : put(text) });
  } else if (
    spec.rawType === 'INT' &&
    typeof value === 'number' &&
    Number.isFinite(value) &&
    !Number.isInteger(value)
  ) {
    const whole = String(Math.trunc(value));
    const message = t`${name} is an integer, so ${server} truncates ${shown(value)} to ${whole}.`;
    report({ code: 'fraction-cut', ...place, message, fix: put(whole) });
  }
};
