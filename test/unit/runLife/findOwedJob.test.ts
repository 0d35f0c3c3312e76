import { describe, expect, it } from 'vitest';
import type { JobsPage } from '../../../src/core/client/jobReading';
import type { JobDetail, JobListing } from '../../../src/core/protocol/jobRecord';
import { readJobState } from '../../../src/core/protocol/jobStatus';
import { findOwedJob } from '../../../src/core/runLife/takeUpRun';

const now = 1_790_000_000_000;
const minute = 60_000;
/** A submission arrives within this time or never. */
const latest = 10 * minute;
const signal = new AbortController().signal;

interface Told {
  readonly dialect: 'cloud' | 'local';
  readonly jobs: readonly JobListing[];
  readonly hasMore: boolean;
  /** How far the server's clock is ahead, ms; NaN if it has not told its time. */
  readonly ahead: number;
}

function job(id: string, createdAt = now): JobListing {
  return { id, rawStatus: 'pending', status: readJobState('pending'), createdAt };
}

/** A server whose jobs have their own names as run keys; on a local one, jobs have the ID that was sent. */
function sessionOf({
  dialect = 'cloud',
  jobs = [],
  hasMore = false,
  ahead = 0,
}: Partial<Told> = {}): Parameters<typeof findOwedJob>[0] & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    now: () => now,
    earliestNow: () => (Number.isNaN(ahead) ? undefined : now + ahead),
    capabilities: () => Promise.resolve({ dialect }),
    sentTextsOf: (id) => Promise.resolve({ promptText: '{}', runKey: id }),
    client: {
      job: (id): Promise<JobDetail | undefined> => {
        asked.push(`job ${id}`);
        const found = jobs.find((each) => each.id === id);
        return Promise.resolve(found && { ...found, displayNodes: {}, events: [] });
      },
      jobs: (): Promise<JobsPage> => {
        asked.push('jobs');
        return Promise.resolve({ jobs, hasMore });
      },
    },
  };
}

function look(
  told: Partial<Told>,
  sentAt: number | undefined,
  promptId?: string,
): ReturnType<typeof findOwedJob> {
  const sent = sentAt === undefined ? undefined : new Date(sentAt).toISOString();
  return findOwedJob(sessionOf(told), { promptId, promptText: '{}', sentAt: sent }, signal);
}

describe('the job of a prompt that may have been sent', () => {
  it('is found by its key on the cloud, however long ago it was sent', async () => {
    const jobs = [job('other'), job('ours', now - 3 * latest)];
    expect(await look({ jobs }, now - minute, 'ours')).toEqual({ kind: 'found', id: 'ours' });
    expect(await look({ jobs }, undefined, 'ours')).toEqual({ kind: 'found', id: 'ours' });
  });

  it('is found by the ID that was sent to a local server, without its list', async () => {
    const session = sessionOf({ dialect: 'local', jobs: [job('ours')] });
    expect(await findOwedJob(session, { promptId: 'ours' }, signal)).toEqual({ kind: 'found', id: 'ours' });
    expect(session.asked).toEqual(['job ours']);
  });

  it('cannot be found without a key, so it may always exist', async () => {
    expect(await look({}, now - 2 * latest)).toEqual({ kind: 'notSeen', mayArriveFor: 0 });
  });

  it('may still arrive for ten minutes, and is gone after that', async () => {
    expect(await look({}, now - minute, 'ours')).toEqual({ kind: 'notSeen', mayArriveFor: latest - minute });
    expect(await look({}, now - latest + 1, 'ours')).toEqual({ kind: 'notSeen', mayArriveFor: 1 });
    expect(await look({}, now - latest, 'ours')).toEqual({ kind: 'gone' });
    expect(await look({}, now - 2 * latest, 'ours')).toEqual({ kind: 'gone' });
  });

  it('may arrive for no longer than that if a clock was set back', async () => {
    expect(await look({}, now + 60 * minute, 'ours')).toEqual({ kind: 'notSeen', mayArriveFor: latest });
  });

  it('is not gone if nobody knows when it was sent', async () => {
    expect(await look({}, undefined, 'ours')).toEqual({ kind: 'notSeen', mayArriveFor: 0 });
  });

  it('is not gone while the list does not reach back to it', async () => {
    const sentAt = now - 2 * latest;
    const recent = { jobs: [job('a', sentAt)], hasMore: true };
    const older = { jobs: [job('a', sentAt), job('b', sentAt - latest)], hasMore: true };
    expect(await look(recent, sentAt, 'ours')).toEqual({ kind: 'notSeen', mayArriveFor: 0 });
    expect(await look(older, sentAt, 'ours')).toEqual({ kind: 'gone' });
  });

  it('is expected in the list by the clock of the server, if that is known', async () => {
    const sentAt = now - 2 * latest;
    const list = { jobs: [job('a', sentAt - latest)], hasMore: true };
    expect(await look({ ...list, ahead: -latest }, sentAt, 'ours')).toEqual({
      kind: 'notSeen',
      mayArriveFor: 0,
    });
    expect(await look({ ...list, ahead: latest }, sentAt, 'ours')).toEqual({ kind: 'gone' });
    // Without a clock to compare with, an unfinished list proves nothing.
    expect(await look({ ...list, ahead: NaN }, sentAt, 'ours')).toEqual({ kind: 'notSeen', mayArriveFor: 0 });
  });
});
