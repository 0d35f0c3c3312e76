import { describe, expect, it } from 'vitest';

import { DefinitionFiles } from '../../../src/host/catalogs/definitionFiles';
import { day, MemoryStorage } from './memoryStorage';

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
