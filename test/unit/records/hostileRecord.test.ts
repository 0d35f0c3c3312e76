import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { readRunRecord, writeRunRecord } from '../../../src/core/records/runRecord';
import { budgets } from '../../../src/core/safety/budgets';

const plain = Buffer.from(
  writeRunRecord(sendingRecord({ server: 'http://127.0.0.1', label: 'a', seeds: {}, sentAt: 0 })),
).toString();

/** The record with one additional member. */
const withMember = (text: string): string => plain.replace('{', `{"x":${text},`);

/** How many mistakes were put into words. */
function explainedBy(read: () => void): number {
  const { localeError } = z.config();
  let explained = 0;
  z.config({ localeError: (issue) => (explained++, localeError?.(issue)) });
  try {
    read();
  } finally {
    z.config({ localeError });
  }
  return explained;
}

describe('a run record from someone else', () => {
  it.each([
    ['lists in lists', '['.repeat(budgets.fileValues * 2)],
    ['many objects', `[${'{},'.repeat(budgets.fileValues * 2)}{}]`],
    ['many numbers', `[${'0,'.repeat(budgets.fileValues * 2)}0]`],
  ])('is not read when it would take far more memory than its text: %s', (_what, text) => {
    const before = process.memoryUsage().rss;
    expect(readRunRecord(withMember(text))).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it.each([
    ['expected', '[]', `[${'{},'.repeat(1_000)}{}]`],
    ['files', '[]', `[${'{},'.repeat(1_000)}{}]`],
    ['texts', '[]', `[${'{},'.repeat(1_000)}{}]`],
    ['seeds', '{}', `{${Array.from({ length: 1_000 }, (_, index) => `"${index}": 1`).join()}}`],
  ])('is read up to its first mistake, by the one format that it names: wrong %s', (member, right, wrong) => {
    const text = plain.replace(`"${member}": ${right}`, `"${member}": ${wrong}`);
    expect(text).not.toBe(plain);
    expect(explainedBy(() => expect(readRunRecord(text)).toBeUndefined())).toBeLessThan(10);
  });

  it('is read without its traceback if that is none, line by line', () => {
    const text = withMember('0').replace(
      '"x"',
      `"error":{"message":"m","traceback":[${'1,'.repeat(1_000)}1]},"x"`,
    );
    const read = (): void => expect(readRunRecord(text)?.error).toEqual({ message: 'm' });
    expect(explainedBy(read)).toBeLessThan(10);
  });

  it('has no longer name than is shown', () => {
    const read = readRunRecord(plain.replace('"label": "a"', `"label": "${'a'.repeat(5_000)}"`));
    expect(read?.label).toBe('a'.repeat(1_000));
  });

  it('may contain a prompt with any brackets and quotes, since that is one string', () => {
    const text = JSON.stringify('[{,\\"'.repeat(budgets.fileValues));
    expect(readRunRecord(withMember(text))).toMatchObject({ state: 'sending' });
  });

  it('affects nothing else through names such as __proto__', () => {
    const seeds = '"seeds": {"__proto__": "1", "constructor": "2"}';
    const read = readRunRecord(plain.replace('"seeds": {}', seeds));
    expect(Object.getPrototypeOf(read?.seeds)).toBe(Object.prototype);
    expect('1' in {}).toBe(false);
  });
});
