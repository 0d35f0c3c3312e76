import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/core/jobs/job';
import { previewOf } from '../../../../src/host/preview/previewModel';
import { failure, stored } from '../../jobs/observations';

const preview = (job: Job, silence?: { readonly since: number | undefined }) =>
  previewOf(job, 'Server', () => 'onServer', silence);

describe('the preview of a job', () => {
  it('whose server does not answer says so, and nothing turns', () => {
    const silent = preview(stored('running'), { since: 1_790_000_000_000 });
    expect(silent.stateText).toMatch(/^Running when last known, nothing heard since .+; trying again$/);
    expect(silent.silent).toBe(true);
    expect(preview(stored('completed'), { since: undefined })).not.toHaveProperty('silent');
    expect(preview(stored('running'))).toMatchObject({ stateText: 'Running' });
  });

  it('says an error once', () => {
    const failed = (message: string) =>
      preview({ ...stored('failed'), failure: failure({ message, exceptionType: 'ValueError' }) }).failure;
    const short = failed('bad size');
    expect(short?.title).toContain('bad size');
    expect(short?.message).toBe('');
    expect(failed('bad size\nat line 3')?.message).toBe('at line 3');
    expect(failed('CUDA out of memory.')).toMatchObject({
      title: 'The graphics card ran out of memory.',
      message: 'CUDA out of memory.',
    });
  });

  it('that the server lost says what may have become of it', () => {
    expect(preview(stored('lost')).stateText).toBe('Removed from the queue, or the server was restarted');
  });
});
