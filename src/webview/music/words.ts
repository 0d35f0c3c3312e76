import { numberText, t } from '../../core/safety/localize';

/** Elapsed time such as `1:05`; screen readers get `spokenTime`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

export function spokenTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / 60);
  const unitText = (count: number, unit: 'minute' | 'second'): string =>
    numberText(count, { style: 'unit', unit, unitDisplay: 'long' });
  const rest = unitText(whole % 60, 'second');
  return minutes === 0 ? rest : `${unitText(minutes, 'minute')} ${rest}`;
}

/** The approximate cost of this many seconds; empty if nothing is charged. */
export function musicPriceText(
  seconds: number,
  {
    creditsPerSecond,
    dollarsPerSecond,
  }: { readonly creditsPerSecond: number | null; readonly dollarsPerSecond: number | null },
): string {
  if (creditsPerSecond === 0) return '';
  if (creditsPerSecond === null || dollarsPerSecond === null) return t`price unknown`;
  return t`about ${(seconds * creditsPerSecond).toFixed(1)} credits ($${(seconds * dollarsPerSecond).toFixed(3)})`;
}

/** Counts as the service does (core/protocol/musicLimits.ts): a surrogate pair is one, a line break is two. */
export function promptLength(prompt: string): number {
  return Array.from(prompt.replace(/\r\n?|\n/g, '\r\n')).length;
}
