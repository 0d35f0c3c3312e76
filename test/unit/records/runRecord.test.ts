import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { readRunRecord, writeRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { budgets } from '../../../src/core/safety/budgets';

const first = sendingRecord({ server: 'http://127.0.0.1:8188', label: 'w.json', seeds: {}, sentAt: 0 });

const written = (record: Partial<RunRecord>): string =>
  Buffer.from(writeRunRecord({ ...first, ...record })).toString();

const prompt =
  '{"10":{"class_type":"KSampler","inputs":{"seed": 18446744073709551615,"cfg":7.0,"model":["4",0]}},"4":{}}';

describe('a run record on disk', () => {
  it('holds the prompt as JSON, laid out, with every digit and in its order', () => {
    expect(written({ promptText: prompt })).toContain(`
  "prompt": {
    "10": {
      "class_type": "KSampler",
      "inputs": {
        "seed": 18446744073709551615,
        "cfg": 7.0,
        "model": ["4", 0]
      }
    },
    "4": {}
  }
}
`);
  });

  it('holds the graph on one line', () => {
    const graph = '{\n  "nodes": [],\n  "note": "a  b"\n}';
    expect(written({ workflowText: graph })).toContain('"workflow": {"nodes":[],"note":"a  b"}\n}\n');
  });

  it('is read with the same texts, but for blanks', () => {
    const read = readRunRecord(written({ promptText: prompt, workflowText: '{ "nodes": [1e400] }' }));
    expect(read?.promptText?.replace(/\s/g, '')).toBe(prompt.replace(/\s/g, ''));
    expect(read?.workflowText).toBe('{"nodes":[1e400]}');
  });

  it('is read with the same texts, whatever they contain', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const read = readRunRecord(
          written({ promptText: text, label: text.slice(0, 1_000), workflowText: text }),
        );
        expect(JSON.parse(read?.promptText ?? '')).toEqual(JSON.parse(text));
        expect(JSON.parse(read?.workflowText ?? '')).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps what the server told of a file, and only that', () => {
    const known = { name: 'v.mp4', node: '3', area: 'output', original: 'v.mp4' };
    const told = {
      facts: { width: 64, height: 48, duration: 1.5, fps: 8, frames: 12 },
      asset: { id: 'a1', preview: 'p1', hash: 'blake3:00' },
    };
    const read = readRunRecord(written({ expected: [{ ...known, ...told }] }));
    expect(read?.expected).toEqual([{ ...known, ...told }]);
    const odd = { ...known, facts: { width: -1, height: '9' }, asset: 'id' };
    const text = JSON.stringify({ ...first, expected: [odd] });
    expect(readRunRecord(text)?.expected).toEqual([known]);
  });

  it.each([
    ['invalid', '{"3": '],
    ['not an object', '[]'],
    ['of too many parts', `{"3": [${'0,'.repeat(budgets.fileValues / 4)}0]}`],
  ])('stays readable with a prompt that is %s', (_what, promptText) => {
    expect(readRunRecord(written({ promptText }))?.promptText).toBe(promptText);
  });

  it('is read without what a newer version wrote differently', () => {
    const text = written({ promptText: '{}' }).replace('"state"', '"nodes": [7], "inputs": {}, "state"');
    expect(readRunRecord(text)).toMatchObject({ state: 'sending', promptText: '{}' });
  });
});

describe('a record of which no output is known', () => {
  it('is of format 4, and read like any other', () => {
    const text = written({ state: 'outputsUnknown', outputNodes: ['9'], promptText: '{}' });
    expect(JSON.parse(text)).toMatchObject({ format: 4, state: 'outputsUnknown' });
    expect(readRunRecord(text)).toMatchObject({ state: 'outputsUnknown', outputNodes: ['9'] });
  });
});

it.each([1, 2, 5])('a record of format %s, of another version, is not read, and says so', (format) => {
  const text = written({ promptText: prompt }).replace('"format": 3', `"format": ${format}`);
  let problem: Error | undefined;
  expect(readRunRecord(text, 'a.run.json', (error) => (problem = error))).toBeUndefined();
  expect(problem?.message).toBe('a.run.json is not a run record, or another version of Comfy Deck wrote it.');
});
