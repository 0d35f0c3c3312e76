import { beforeEach, expect, it } from 'vitest';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { savedRun } from '../gallery/galleryRecords';
import { folderWith, withoutNetwork } from './withoutNetwork';

const prompt = (value: unknown): string => JSON.stringify({ 1: { class_type: 'Number', inputs: { value } } });

const record = writeRunRecord(savedRun(0, [], { promptText: prompt(1) }));

let file: (name: string) => string;
beforeEach(async () => {
  file = await folderWith({ 'w.json': prompt(2), 'a.run.json': record });
});

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
