import { compareNumbers, isNumeric } from '../../json/exactEquals';
import type { ExactValue } from '../../json/exactValue';
import { writeExact } from '../../json/exactWriter';
import { convertedValue } from '../valueAsRead';
import { type InputRule, valuePlace } from '../rule';
import { isLeftToValidator } from '../validators';
import { shown } from '../wording';
import { t } from '../../safety/localize';

/** Numbers outside the limits of the input, compared with every digit (workflows 4.2, rows 7 and 8). */
export const ranges: InputRule = (subject, _context, report) => {
  const { node, declared, validator } = subject;
  const { name, spec } = declared;
  const [min, max] = [spec.options.get('min'), spec.options.get('max')];
  if ((min === undefined && max === undefined) || isLeftToValidator(validator, name)) return;
  const value = convertedValue(subject);
  if (value === undefined || !isNumeric(value)) return;
  const place = valuePlace(node, name);
  if (isNumeric(min) && compareNumbers(value, min) < 0) {
    report({
      code: 'below-minimum',
      ...place,
      message: t`${name} must be at least ${digits(min)}; ${digits(value)} is too small.`,
      counts: 'checked',
      fix: { kind: 'replaceText', range: place.range, texts: [writeExact(min)] },
    });
  } else if (isNumeric(max) && compareNumbers(value, max) > 0) {
    report({
      code: 'above-maximum',
      ...place,
      message: t`${name} must be at most ${digits(max)}; ${digits(value)} is too large.`,
      counts: 'checked',
      fix: { kind: 'replaceText', range: place.range, texts: [writeExact(max)] },
    });
  }
};

/** Without the ".0" of a whole float. */
function digits(value: ExactValue): string {
  return shown(value).replace(/\.0$/, '');
}
