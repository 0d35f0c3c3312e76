import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/core/jobs/job';
import { previewOf } from '../../../../src/host/preview/previewModel';
import type { Silence } from '../../../../src/host/servers/sessions';
import { failure, stored } from '../../jobs/observations';

const preview = (job: Job, silence?: Silence) => previewOf(job, 'Server', () => 'onServer', silence);

describe('the preview of a job', () => {
  it('whose server does not answer says so, and nothing turns', () => {
    const silent = preview(stored('running'), { since: 1_790_000_000_000 });
    expect(silent.stateText).toMatch(/^Running when last known, nothing heard since .+; trying again$/);
    expect(silent.silent).toBe(true);
    expect(preview(stored('completed'), { since: undefined })).not.toHaveProperty('silent');
    expect(preview(stored('running'))).toMatchObject({ stateText: 'Running' });
  });

  it('whose server refuses access says so, and no time passes', () => {
    const shutOut = preview({ ...stored('running'), startedAt: 1_000 }, { since: 2_000, isShutOut: true });
    expect(shutOut.stateText).toBe('Running when last known, the server refuses access');
    expect(shutOut.silent).toBe(true);
    expect(shutOut).not.toHaveProperty('startedAt');
  });

  it('says how long it took as the Jobs view does, and counts only while it goes on', () => {
    const job = { ...stored('completed'), startedAt: 1_000, endedAt: 1_480 };
    expect(preview(job)).toMatchObject({ took: '0.5 s' });
    expect(preview(job)).not.toHaveProperty('startedAt');
    expect(preview({ ...stored('running'), startedAt: 1_000 })).toMatchObject({ startedAt: 1_000 });
  });

  it('says an error once', () => {
    const failed = (message: string) =>
      preview({ ...stored('failed'), failure: failure({ message, exceptionType: 'ValueError' }) }).failure;
    const short = failed('bad size');
    expect(short?.title).toContain('bad size');
    expect(short?.message).toBe('ValueError at KSampler, node 2');
    expect(failed('bad size\nat line 3')?.message).toBe('ValueError at KSampler, node 2: at line 3');
    expect(failed('CUDA out of memory.')).toMatchObject({
      title: 'The graphics card ran out of memory.',
      message: 'ValueError at KSampler, node 2: CUDA out of memory.',
    });
  });

  it('that the server lost says what may have become of it', () => {
    expect(preview(stored('lost')).stateText).toBe('Removed from the queue, or the server was restarted');
  });
});
