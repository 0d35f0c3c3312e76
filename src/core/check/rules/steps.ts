import type { InputSpec } from '../../catalog/inputSpec';
import type { ExactValue } from '../../json/exactValue';
import { compareNumbers, isNumeric } from '../../json/exactEquals';
import { literalVerdict } from '../valueAsRead';
import { type InputRule, valuePlace } from '../rule';
import { shownExact } from '../wording';
import { t } from '../../safety/localize';

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
