import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { writeJobs } from '../../../src/core/jobs/jobMemory';
import { JobFile } from '../../../src/host/jobs/jobHistory';
import { stored, storedElsewhere } from '../jobs/observations';
import { MemoryStorage } from './memoryStorage';

/** No process has this id. */
const gone = 2 ** 30;
const ids = (jobs: readonly Job[]) => jobs.map(({ id }) => id).sort();

describe('jobs of windows that share a folder', () => {
  it("are stored per window, and no window overwrites another's", async () => {
    const storage = new MemoryStorage();
    const [one, two] = ['1-a', '1-b'].map((writer) => new JobFile(storage, 'jobs-x.json', writer));
    await one?.load();
    await two?.load();
    await one?.save([stored('completed', 'of one')]);
    await two?.save([stored('completed', 'of two')]);
    await one?.save([stored('completed', 'of one'), stored('running', 'later')]);
    expect(ids(await new JobFile(storage, 'jobs-x.json').load())).toEqual(['later', 'of one', 'of two']);
  });

  it('are taken over from closed windows and from the file of earlier versions', async () => {
    const storage = new MemoryStorage();
    await storage.write('jobs-x.json', writeJobs([stored('completed', 'early')]));
    await storage.write(`jobs-x.${gone}-dead.json`, writeJobs([stored('completed', 'dead')]));
    await storage.write(`jobs-x.${process.ppid}-alive.json`, writeJobs([stored('running', 'alive')]));
    await storage.write('jobs-xy.json', writeJobs([stored('completed', 'of another workspace')]));
    const file = new JobFile(storage, 'jobs-x.json', `${process.pid}-me`);
    const jobs = await file.load();
    expect(ids(jobs)).toEqual(['alive', 'dead', 'early']);
    expect(storage.files.size).toBe(4);
    await file.save(jobs);
    expect([...storage.files.keys()].sort()).toEqual(
      [`jobs-x.${process.ppid}-alive.json`, `jobs-x.${process.pid}-me.json`, 'jobs-xy.json'].sort(),
    );
    expect(ids(await new JobFile(storage, 'jobs-x.json').load())).toEqual(['alive', 'dead', 'early']);
  });

  it('combine what all windows know', async () => {
    const storage = new MemoryStorage();
    await new JobFile(storage, 'jobs-x.json', '1-a').save([stored('completed', 'job')]);
    storage.today = 1;
    await new JobFile(storage, 'jobs-x.json', '1-b').save([stored('running', 'job')]);
    expect(await new JobFile(storage, 'jobs-x.json').load()).toMatchObject([
      { id: 'job', state: 'completed' },
    ]);
  });

  it("stay removed even if another window's file still has them", async () => {
    const storage = new MemoryStorage();
    await new JobFile(storage, 'jobs-x.json', '1-a').save([
      stored('completed', 'kept'),
      stored('failed', 'bad'),
    ]);
    const two = new JobFile(storage, 'jobs-x.json', '1-b');
    const jobs = await two.load();
    await two.save(
      jobs.filter(({ id }) => id !== 'bad'),
      ['bad'],
    );
    const three = new JobFile(storage, 'jobs-x.json', '1-c');
    expect(ids(await three.load())).toEqual(['kept']);
    await three.save(await three.load());
    await storage.remove('jobs-x.1-b.json');
    expect(ids(await new JobFile(storage, 'jobs-x.json').load())).toEqual(['kept']);
  });

  it('of other people are not stored: their server lists them again', async () => {
    const storage = new MemoryStorage();
    await new JobFile(storage, 'jobs-x.json', '1-a').save([
      stored('completed', 'ours'),
      storedElsewhere('completed', 'theirs'),
    ]);
    expect(ids(await new JobFile(storage, 'jobs-x.json').load())).toEqual(['ours']);
  });
});
