import { displayLanguage, t } from './localize';

/** For people, in the display language and this machine's time zone; what programs read is ISO 8601 instead. */
const styles = {
  time: { timeStyle: 'short' },
  day: { dateStyle: 'medium' },
  dayAndTime: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
  weekday: { dateStyle: 'full' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Lists format thousands of times, and making a format takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** ms; a file may say anything, and later times can't be formatted. */
const latest = 8.64e15;

function formatted(at: number, style: keyof typeof styles): string {
  const language = displayLanguage();
  const key = `${language} ${style}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, styles[style]);
  formats.set(key, format);
  // Terminals and fixed columns know no narrow spaces.
  return Math.abs(at) <= latest ? format.format(at).replace(/\u202f/g, ' ') : '';
}

export function timeOfDay(at: number): string {
  return formatted(at, 'time');
}

export function dayText(at: number): string {
  return formatted(at, 'day');
}

export function dayAndTime(at: number): string {
  return formatted(at, 'dayAndTime');
}

export function exactTime(at: number): string {
  return formatted(at, 'exact');
}

export function weekdayText(at: number): string {
  return formatted(at, 'weekday');
}

/** Thousands of rows ask for the same few hours. */
const daysByHour = new Map<number, string>();
const hour = 3_600_000;
const mostHours = 10_000;

/** The local day of a time, `yyyy-mm-dd`. */
export function localDay(time: number): string {
  // Quarters: some time zones are not whole hours away.
  const quarter = Math.floor((time * 4) / hour);
  const known = daysByHour.get(quarter);
  if (known !== undefined) return known;
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  if (daysByHour.size >= mostHours) daysByHour.clear();
  daysByHour.set(quarter, day);
  return day;
}

/** The time of day, with its day unless that is today. */
export function timeSince(at: number, now: number): string {
  return dayText(at) === dayText(now) ? timeOfDay(at) : dayAndTime(at);
}

/** A measured time: `under 0.1 s`, `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`; never zero, as nothing takes no time. */
export function durationText(ms: number): string {
  if (ms < 50) return t`under ${t`${'0.1'} s`}`;
  return ms < 1000 ? tenthsText(ms) : elapsedText(ms);
}

/** A measured time of what is compared, such as nodes: most take a few seconds, which tenths distinguish. */
export function measuredTimeText(ms: number): string {
  return ms < 50 ? durationText(ms) : tenthsText(ms);
}

export function tenthsText(ms: number): string {
  return ms < 10_000 ? t`${(Math.max(0, ms) / 1000).toFixed(1)} s` : elapsedText(ms);
}

export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return t`${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t`${minutes} min ${seconds % 60} s`;
  return t`${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time that nobody has measured yet, as one would say it: `under 1 s`, `about 2 min`. */
export function estimateText(ms: number): string {
  if (ms < 1000) return t`under ${elapsedText(1000)}`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 10) return t`about ${elapsedText(1000 * seconds)}`;
  if (seconds < 58) return t`about ${elapsedText(5000 * Math.round(seconds / 5))}`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t`about ${t`${minutes} min`}`;
  const tens = Math.round(minutes / 10);
  const rest = 10 * (tens % 6);
  if (rest === 0 || tens >= 60) return t`about ${t`${Math.round(tens / 6)} h`}`;
  return t`about ${t`${Math.floor(tens / 6)} h ${rest} min`}`;
}
