import { t } from '../../core/safety/localize';

/** Elapsed whole seconds, as in the Jobs view: `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function elapsedText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return t`${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = (value: number): string => String(value % 60).padStart(2, '0');
  return minutes < 60
    ? t`${minutes} min ${rest(seconds)} s`
    : t`${Math.floor(minutes / 60)} h ${rest(minutes)} min`;
}
