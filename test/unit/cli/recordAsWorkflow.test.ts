import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { savedRun } from '../gallery/galleryRecords';
import { withoutNetwork } from './withoutNetwork';

const definitions = {
  Number: { input: { required: { value: ['INT', {}] } }, output: ['INT'], output_node: true },
};
const prompt = (value: unknown): string => JSON.stringify({ 1: { class_type: 'Number', inputs: { value } } });

let folder = '';
const file = (name: string): string => path.join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'record-as-workflow-'));
  await writeFile(file('definitions.json'), JSON.stringify(definitions));
  await writeFile(file('w.json'), prompt(2));
  for (const [name, value] of [
    ['a', 1],
    ['wrong', 'x'],
  ] as const)
    await writeFile(file(`${name}.run.json`), writeRunRecord(savedRun(0, [], { promptText: prompt(value) })));
});
afterEach(() => rm(folder, { recursive: true }));

const defined = (): string[] => ['--definitions', file('definitions.json')];

it('takes a run record by its prompt: print, graph, diff, convert and validate', async () => {
  expect(await withoutNetwork('print', file('a.run.json'))).toMatchObject({
    code: 0,
    out: expect.stringContaining('value = 1') as string,
  });
  expect((await withoutNetwork('graph', file('a.run.json'))).out).toContain('<svg');
  expect(await withoutNetwork('diff', file('a.run.json'), file('w.json'))).toMatchObject({
    code: 1,
    out: expect.stringContaining('value: 1 → 2') as string,
  });
  const converted = await withoutNetwork('convert', file('a.run.json'), ...defined());
  expect(JSON.parse(converted.out)).toEqual(JSON.parse(prompt(1)));
  expect(await withoutNetwork('validate', file('a.run.json'), ...defined())).toMatchObject({ code: 0 });
});

it('names the place of a problem in the record', async () => {
  const { out, err } = await withoutNetwork('validate', file('wrong.run.json'), ...defined());
  const text = String(Buffer.from(writeRunRecord(savedRun(0, [], { promptText: prompt('x') }))));
  const line = text.split('\n').findIndex((each) => each.includes('"x"')) + 1;
  expect(out + err).toContain(`:${line}:`);
});
