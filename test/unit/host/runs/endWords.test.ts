import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/core/jobs/job';
import { batchWords, endWords, lostNotice } from '../../../../src/host/runs/endNotice';
import { origin, stored } from '../../jobs/observations';

/** Without a start time. */
const queued = (state: Job['state']): Job =>
  Object.fromEntries(
    Object.entries(stored(state)).filter(([name]) => name !== 'startedAt'),
  ) as unknown as Job;
const ended = (state: Job['state'], saved = 0, more: Partial<Job> = {}) => ({
  job: { ...stored(state), ...more },
  saved,
});

describe('the notification of an ended run', () => {
  it('says that the server was restarted during the run, not that the run failed', () => {
    const { job } = ended('lost', 0, { startedAt: 1_000 });
    expect(lostNotice([job]).line()).toBe(
      `${origin.label} is no longer on the server: the server was restarted, or it removed the job. It may have finished first, so check the server for outputs before you run it again.`,
    );
  });

  it('says that a run was lost with its sandbox, and sends nobody to look for its outputs', () => {
    const { job } = ended('lost', 0, { lostWhy: 'sandboxEnded' });
    expect(lostNotice([job]).line()).toBe(
      `${origin.label} was lost: the sandbox stopped with its window or command.`,
    );
    expect(lostNotice([job, job]).line()).toBe(
      '2 runs were lost: the sandbox stopped with its window or command.',
    );
  });

  it('says that a queued run was removed or the server was restarted', () => {
    expect(lostNotice([queued('lost')]).line()).toContain('the server was restarted, or it removed the job');
  });

  it('counts failed runs separately from successful ones', () => {
    const { tone, words } = batchWords([ended('failed'), ended('completed', 2)]);
    expect(words.line()).toBe('2 runs finished (1 failed): 2 outputs saved.');
    expect(tone).toBe('warning');
  });

  it('warns of unknown outputs, and says why a run with results from before has none', () => {
    const silent = { eventsOnly: true, origin: { ...origin, outputNodes: ['2'] } } as const;
    const unknown = ended('completed', 0, { ...silent, missedEvents: true });
    const { tone, words, offers } = endWords(unknown);
    expect(words.line()).toMatch(
      / completed, but its outputs are unknown: .*Running the workflow again may cost again\.$/,
    );
    expect([tone, offers]).toEqual(['warning', ['showJobs']]);
    expect(endWords({ ...unknown, saved: 1 }).offers).toEqual(['open', 'reveal']);
    const node = { nodeId: '2', state: 'cached', value: 1, max: 1 } as const;
    const cached = endWords(ended('completed', 0, { ...silent, nodes: { '2': node } }));
    expect(cached.words.line()).toMatch(/ finished\. The server reused results of an earlier run /);
    expect(cached.tone).toBe('information');
    const both = batchWords([unknown, ended('completed', 2)]);
    expect(both.words.line()).toBe('2 runs finished (1 with unknown outputs): 2 outputs saved.');
    expect(both.tone).toBe('warning');
  });

  it('says how many outputs were saved, or that there were none', () => {
    expect(endWords(ended('completed', 1))).toMatchObject({
      tone: 'information',
      offers: ['open', 'reveal'],
    });
    expect(endWords(ended('completed', 1)).words.line()).toMatch(/ finished\. 1 output saved\.$/);
    expect(endWords(ended('completed')).words.line()).toMatch(/ finished\. No outputs\.$/);
    const misnamed = endWords(ended('completed', 1, { misnamed: true }));
    expect(misnamed.tone).toBe('warning');
    expect(misnamed.words.line()).toMatch(
      / finished\. 1 output saved\. The server listed outputs without a usable name, so they can't be saved\.$/,
    );
    expect(endWords(ended('cancelled', 2)).words.line()).toMatch(
      /was cancelled elsewhere\. 2 outputs saved\.$/,
    );
  });
});
