import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { useTranslations } from '../../../src/core/safety/localize';
import {
  dayAndTime,
  dayText,
  durationText,
  elapsedText,
  estimateText,
  tenthsText,
  measuredTimeText,
  exactTime,
  timeOfDay,
  timeSince,
  weekdayText,
} from '../../../src/core/safety/timeText';

const at = new Date(2026, 1, 3, 14, 5, 9).getTime();
const s = 1000;
const min = 60 * s;
const h = 60 * min;

afterEach(() => useTranslations('en', {}));

describe('times and days', () => {
  it('are written as in English', () => {
    expect([timeOfDay, dayText, dayAndTime, exactTime, weekdayText].map((text) => text(at))).toEqual([
      '2:05 PM',
      'Feb 3, 2026',
      'Feb 3, 2026, 2:05 PM',
      'Feb 3, 2026, 2:05:09 PM',
      'Tuesday, February 3, 2026',
    ]);
  });

  it('are empty for what is no time, such as a number in a damaged file', () => {
    for (const no of [NaN, Infinity, -Infinity, 8.65e15, -1e300])
      expect([timeOfDay, dayText, dayAndTime, exactTime, weekdayText].map((text) => text(no)).join('')).toBe(
        '',
      );
    expect(dayText(8.64e15)).toContain('275760');
  });

  it('follow the display language, whatever the language of the system', () => {
    useTranslations('zh-cn', {});
    expect([timeOfDay, dayText, dayAndTime, weekdayText].map((text) => text(at))).toEqual([
      '14:05',
      '2026年2月3日',
      '2026年2月3日 14:05',
      '2026年2月3日星期二',
    ]);
  });

  it('name the day unless it is today', () => {
    expect(timeSince(at, at + h)).toBe('2:05 PM');
    expect(timeSince(at, at + 24 * h)).toBe('Feb 3, 2026, 2:05 PM');
  });

  it('are made in one place', () => {
    const src = path.join(import.meta.dirname, '../../../src');
    const others = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /\.tsx?$/.test(name) && name !== 'core/safety/timeText.ts')
      .filter((name) =>
        /toLocale(?:Date|Time)String|Date\([^)]*\)\.toLocaleString|DateTimeFormat/.test(
          readFileSync(path.join(src, name), 'utf8'),
        ),
      );
    expect(others).toEqual([]);
  });
});

describe('durations', () => {
  it('are exact when they were measured', () => {
    expect([400, 12 * s, 185 * s, 130 * min].map(durationText)).toEqual([
      '0.4 s',
      '12 s',
      '3 min 5 s',
      '2 h 10 min',
    ]);
  });

  it('are in tenths of a second while that distinguishes what is compared', () => {
    expect([40, 1_949, 12_700, 185_000].map(tenthsText)).toEqual(['0.0 s', '1.9 s', '12 s', '3 min 5 s']);
  });

  it('are never zero once they have ended', () => {
    expect([0, 49, 50].map(measuredTimeText)).toEqual(['under 0.1 s', 'under 0.1 s', '0.1 s']);
    expect([0, 49, 50].map(durationText)).toEqual(['under 0.1 s', 'under 0.1 s', '0.1 s']);
  });

  it('grow in whole seconds, and are none when the clock of the server is ahead', () => {
    expect([-5 * s, 900, 59_999, min].map(elapsedText)).toEqual(['0 s', '0 s', '59 s', '1 min 0 s']);
  });

  it('are rounded to what one would say when they are estimates', () => {
    const told = [0, 40, 4_400, 13 * s, 59 * s, 127 * s, 59.9 * min, 70 * min, 13.2 * h].map(estimateText);
    expect(told).toEqual([
      'under 1 s',
      'under 1 s',
      'about 4 s',
      'about 15 s',
      'about 1 min',
      'about 2 min',
      'about 1 h',
      'about 1 h 10 min',
      'about 13 h',
    ]);
  });
});
