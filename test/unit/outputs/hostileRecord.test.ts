import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sendingRecord } from '../../../src/core/outputs/recordSteps';
import { readRunRecord, writeRunRecord } from '../../../src/core/outputs/runRecord';
import { budgets } from '../../../src/core/safety/budgets';

const plain = Buffer.from(
  writeRunRecord(sendingRecord({ server: 'http://127.0.0.1', label: 'a', seeds: {}, sentAt: 0 })),
).toString();

/** The record with one additional member. */
const withMember = (text: string): string => plain.replace('{', `{"x":${text},`);

describe('a run record from someone else', () => {
  it.each([
    ['lists in lists', '['.repeat(budgets.runRecordParts * 2)],
    ['many objects', `[${'{},'.repeat(budgets.runRecordParts * 2)}{}]`],
    ['many numbers', `[${'0,'.repeat(budgets.runRecordParts * 2)}0]`],
  ])('is not read when it would take far more memory than its text: %s', (_what, text) => {
    const before = process.memoryUsage().rss;
    expect(readRunRecord(withMember(text))).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it.each(['expected', 'files', 'texts'])('is not explained item by item: wrong %s', (member) => {
    const { localeError } = z.config();
    let explained = 0;
    z.config({ localeError: (issue) => (explained++, localeError?.(issue)) });
    const wrong = plain.replace(`"${member}": []`, `"${member}": [${'{},'.repeat(1_000)}{}]`);
    expect(wrong).not.toBe(plain);
    expect(readRunRecord(wrong)).toBeUndefined();
    z.config({ localeError });
    expect(explained).toBeLessThan(100);
  });

  it('may contain a prompt with any brackets and quotes, since that is one string', () => {
    const text = JSON.stringify('[{,\\"'.repeat(budgets.runRecordParts));
    expect(readRunRecord(withMember(text))).toMatchObject({ state: 'sending' });
  });

  it('affects nothing else through names such as __proto__', () => {
    const seeds = '"seeds": {"__proto__": "1", "constructor": "2"}';
    const read = readRunRecord(plain.replace('"seeds": {}', seeds));
    expect(Object.getPrototypeOf(read?.seeds)).toBe(Object.prototype);
    expect('1' in {}).toBe(false);
  });
});
