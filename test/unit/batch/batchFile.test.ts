import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBatchFile } from '../../../src/core/batch/batchFile';
import { budgets } from '../../../src/core/safety/budgets';

const whole = `{
  "format": 1,
  "workflow": "portrait.json",
  "count": 4,
  "set": {
    "KSampler.cfg": [6, 7.50, 18446744073709551615],
    "3.steps": { "from": 20, "to": 40, "step": 1e1 },
    "6.text": { "prompt": "a {red|blue} cat" },
    "7.text": { "lines": "texts/negative.txt" },
    "8.text": { "csv": "prompts.csv", "column": "prompt" },
    "3.sampler_name": { "options": true },
    "9.filename_prefix": "shot"
  },
  "servers": ["http://127.0.0.1:8188", "cloud"],
  "window": 3,
  "stopAfterErrors": 5
}`;

describe('a batch file', () => {
  it('is read with every digit, in its order', () => {
    expect(readBatchFile(whole)).toMatchObject({
      kind: 'batch',
      workflow: 'portrait.json',
      count: 4,
      servers: ['http://127.0.0.1:8188', 'cloud'],
      window: 3,
      stopAfterErrors: 5,
      set: [
        {
          selector: 'KSampler.cfg',
          source: { kind: 'values', texts: ['6', '7.50', '18446744073709551615'] },
        },
        { selector: '3.steps', source: { kind: 'range', from: '20', to: '40', step: '1e1' } },
        { selector: '6.text', source: { kind: 'prompt', text: 'a {red|blue} cat' } },
        { selector: '7.text', source: { kind: 'lines', file: 'texts/negative.txt' } },
        { selector: '8.text', source: { kind: 'csv', file: 'prompts.csv', column: 'prompt' } },
        { selector: '3.sampler_name', source: { kind: 'options' } },
        { selector: '9.filename_prefix', source: { kind: 'values', texts: ['"shot"'] } },
      ],
    });
  });

  const relative =
    'The path must be relative to the batch file, stay within its folder, and use forward slashes.';
  const known = '{"format": 1, "workflow": "w.json"';

  it('with too many values says so once', () => {
    const set = `[${'[],'.repeat(budgets.fileValues)}[]]`;
    const message = "The file has more than 1,000,000 values, so it wasn't read.";
    const read = readBatchFile(`${known}, "set": ${set}}`);
    expect(read).toMatchObject({ kind: 'invalid', findings: [{ message }] });
  });

  it.each([
    ['', '', 'Unexpected end of file.'],
    ['{"format": 1,}', ',', "Trailing commas aren't allowed in JSON."],
    ['[]', '[', 'A batch file must be an object with format, workflow, and set.'],
    ['{"format": 2, "workflow": "w.json"}', '2', 'The format must be 1.'],
    ['{"format": 1}', '{', relative],
    ['{"format": 1, "workflow": "../w.json"}', '"../w.json"', relative],
    [
      `${known}, "windows": 2}`,
      '"windows"',
      'A batch file can contain only format, workflow, count, set, servers, window, and stopAfterErrors.',
    ],
    [`${known}, "count": 0}`, '0', 'The value of count must be a whole number from 1 to 10,000.'],
    [
      `${known}, "set": {"3.cfg": {"from": 1}}}`,
      '{"from": 1}',
      'The values of 3.cfg must be a list, a value, or one of {"from", "to", "step"}, {"lines"}, {"csv", "column"}, {"options": true}, and {"prompt"}.',
    ],
    [`${known}, "set": {"6.text": {"lines": "../x.txt"}}}`, '"../x.txt"', relative],
    [`${known}, "servers": [1]}`, '1', 'The servers must be a list of addresses, "cloud", or "sandbox".'],
  ])('%s is refused at %s', (text, at, message) => {
    const read = readBatchFile(text);
    if (read.kind !== 'invalid') throw new Error('It was accepted.');
    const [finding] = read.findings;
    expect(finding?.message).toBe(message);
    expect(text.slice(finding?.offset, (finding?.offset ?? 0) + (finding?.length ?? 0))).toBe(at);
  });

  it('has a schema with the same members', () => {
    const schema = JSON.parse(readFileSync('media/schemas/batch.schema.json', 'utf8')) as {
      properties: Record<string, unknown>;
    };
    expect(Object.keys(schema.properties).sort()).toEqual(
      ['$schema', ...Object.keys(JSON.parse(whole) as object)].sort(),
    );
  });
});
