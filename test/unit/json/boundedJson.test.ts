import { describe, expect, it } from 'vitest';
import { findExceededLimit, parsePythonJson, readJson } from '../../../src/core/json/boundedJson';
import { budgets } from '../../../src/core/safety/budgets';

const limits = { bytes: 200_000, values: 1_000 };

describe('JSON from outside', () => {
  it.each([
    ['more bytes', JSON.stringify('x'.repeat(200_000)), "a.json is larger than 195 KB, so it wasn't read."],
    ['more values', `[${'0,'.repeat(1_000)}0]`, "a.json has more than 1,000 values, so it wasn't read."],
    ['more empty lists', '[],'.repeat(1_001), "a.json has more than 1,000 values, so it wasn't read."],
    ['deeper lists', '['.repeat(901), "a.json is nested more than 900 levels deep, so it wasn't read."],
    ['deeper objects', '{"a":'.repeat(901), "a.json is nested more than 900 levels deep, so it wasn't read."],
  ])('with %s than allowed is one sentence that names it', (_what, text, message) => {
    expect(() => readJson(text, limits, 'a.json')).toThrow(message);
  });

  it('at its limits is read', () => {
    expect(readJson(`[${'0,'.repeat(998)}0]`, limits, 'a.json')).toHaveLength(999);
    expect(findExceededLimit('['.repeat(900), limits)).toBeUndefined();
  });

  it('may contain any signs in its texts', () => {
    const text = `[[{${',"\\'.repeat(1_000)}`;
    expect(readJson(JSON.stringify([text]), limits, 'a.json')).toEqual([text]);
  });

  it('of a server has no more values than an answer may have, with NaN or without', () => {
    const many = '[],'.repeat(budgets.answerValues);
    for (const text of [many, `NaN,${many}`]) {
      expect(() => parsePythonJson(text, 'GET /x')).toThrow('GET /x has more than 5,000,000 values');
    }
  });
});
