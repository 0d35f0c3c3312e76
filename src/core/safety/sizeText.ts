import { t } from './localize';

const units = ['KB', 'MB', 'GB', 'TB'] as const;

/** `3.2 GB`, as file managers count. */
export function sizeText(bytes: number): string {
  const step = Math.min(units.length, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const unit = units[step - 1];
  if (unit === undefined) return t`${Math.round(bytes)} bytes`;
  const value = bytes / 1024 ** step;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
