import { describe, expect, it } from 'vitest';
import { budgets } from '../../../src/core/safety/budgets';
import { DefinitionFiles } from '../../../src/host/catalogs/definitionFiles';
import { pruneStorage } from '../../../src/host/platform/pruneStorage';
import { day, MemoryStorage } from './memoryStorage';

it('removes the prompts of old jobs and what was stored for workspaces that are gone', async () => {
  const storage = new MemoryStorage();
  await storage.write('pointer-job-old.json', '{}');
  await storage.write('list-gone.json', '{}');
  await storage.write('pointer-owed-old.json', '{}');
  storage.today = 300;
  await storage.write('pointer-job-new.json', '{}');
  await storage.write('music-here.json', '{}');
  await pruneStorage(storage, 400 * day);
  expect([...storage.files.keys()].sort()).toEqual([
    'music-here.json',
    'pointer-job-new.json',
    'pointer-owed-old.json',
  ]);
});

it('keeps the newest prompts, no more than the budget', async () => {
  const storage = new MemoryStorage();
  for (let index = 0; index < budgets.storedFiles + 50; index++) {
    storage.today = index / 1_000;
    await storage.write(`pointer-job-${index}.json`, '{}');
  }
  await pruneStorage(storage, 3 * day);
  expect(storage.files.size).toBe(budgets.storedFiles);
  expect(storage.files.has('pointer-job-0.json')).toBe(false);
  expect(storage.files.has(`pointer-job-${budgets.storedFiles + 49}.json`)).toBe(true);
});

it('keeps few node definitions, which have megabytes each', async () => {
  const storage = new MemoryStorage();
  for (let index = 0; index < budgets.storedLargeFiles + 5; index++)
    await storage.write(`definitions-${index}.json`, '{}');
  await pruneStorage(storage, day);
  expect(storage.files.size).toBe(budgets.storedLargeFiles);
});

it('removes drafts left by dead windows, but none that may still be in use', async () => {
  const storage = new MemoryStorage();
  await storage.write('pointer-owed-1.json.4711.new', '{');
  await storage.write('pointer-owed-1.json', '{}');
  storage.today = 30;
  await storage.write('list-here.json.4712.new', '{');
  await pruneStorage(storage, 30 * day);
  expect([...storage.files.keys()].sort()).toEqual(['list-here.json.4712.new', 'pointer-owed-1.json']);
});

describe('node definitions on disk', () => {
  it('are removed after a month without use, except those of the selected server', async () => {
    const storage = new MemoryStorage();
    const files = new DefinitionFiles(storage);
    const save = (origin: string): Promise<void> =>
      files.save(origin, { texts: { definitions: '{}' }, readAt: 1 });
    await storage.write('jobs.json', '[]');
    await save('http://left.example');
    await save('http://chosen.example');
    storage.today = 20;
    await save('http://other.example');
    await files.removeUnused(40 * day, 'http://chosen.example');
    expect(await files.load('http://left.example')).toBeUndefined();
    expect(await files.load('http://chosen.example')).toMatchObject({ readAt: 1 });
    expect(await files.load('http://other.example')).toMatchObject({ readAt: 1 });
    expect([...storage.files.keys()]).toContain('jobs.json');
  });
});
