import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { readJobs, writeJobs } from '../../../src/core/jobs/jobMemory';
import {
  begin,
  executed,
  executing,
  failed,
  progressNode,
  progressState,
  reduced,
  run,
  server,
  success,
} from './observations';

const ended = (id: string, endedAt: number): Job => ({ ...reduced(run(begin, success)), id, endedAt });

describe('jobs stored while the window is closed', () => {
  it('come back unchanged except for their queue position', () => {
    const steps = progressState(progressNode('2', 'running', 3, 9));
    const jobs = [
      reduced(run(begin, executing('2'), steps, executed('3', ['a.png']))),
      reduced(run(begin, failed({ traceback: ['line'] }))),
    ];
    const waiting: Job = { ...reduced(run()), queuePosition: 4 };
    expect(readJobs(writeJobs([...jobs, waiting]))).toEqual([
      jobs[0],
      { ...waiting, queuePosition: undefined },
      jobs[1],
    ]);
  });

  it('are the live ones and the latest ended ones', () => {
    const kept = readJobs(
      writeJobs([ended('old', 1), ended('new', 3), reduced(run(begin)), ended('middle', 2)], {}, 2),
    );
    expect(kept.map((job) => job.id)).toEqual(['job', 'new', 'middle']);
  });

  it.each(['', 'not json', '[]', '{"format":2,"jobs":[]}', '{"format":1,"jobs":5}'])(
    'are none in %j',
    (text) => {
      expect(readJobs(text)).toEqual([]);
    },
  );

  it('are skipped individually when invalid', () => {
    const good = reduced(run(begin));
    const bad = [
      { ...good, state: 'flying' },
      { ...good, outputs: [{ filename: 5 }] },
      { id: 'x', server },
      null,
    ];
    expect(readJobs(JSON.stringify({ format: 1, jobs: [...bad, good] }))).toEqual([good]);
  });
});
