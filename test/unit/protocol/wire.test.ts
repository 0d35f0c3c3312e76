import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { historyAnswer } from '../../../src/core/protocol/history';
import { queueSnapshot } from '../../../src/core/protocol/queue';
import { wireList, wireRecord, isJobId } from '../../../src/core/protocol/wire';
import { budgets } from '../../../src/core/safety/budgets';
import { readAnswer } from '../../../src/core/client/answerShape';
import { jobListings } from '../../../src/core/protocol/jobRecord';
import { promptAnswer } from '../../../src/core/protocol/promptAnswer';
import { readMessage } from '../../../src/core/protocol/socketMessage';

/** Numbers only, and how many values were looked at. */
function counting() {
  const seen: unknown[] = [];
  return { seen, number: z.custom<number>((value) => seen.push(value) > 0 && typeof value === 'number') };
}

describe('a list', () => {
  it('is read completely, and what its items are read as', () => {
    const doubled = wireList(z.number().transform((value) => value * 2));
    expect(doubled.parse([1, 2])).toEqual([2, 4]);
    expect(wireRecord(doubled).parse({ a: [1], b: [] })).toEqual({ a: [2], b: [] });
  });

  it('is read up to its first wrong item, which is the only problem', () => {
    const { seen, number } = counting();
    const { error } = wireList(number).safeParse([1, 'a', 'b', 'c']);
    expect(error?.issues.map(({ path }) => path)).toEqual([[1]]);
    expect(seen).toEqual([1, 'a']);
  });

  it('of members ends likewise', () => {
    const { seen, number } = counting();
    const { error } = wireRecord(z.object({ x: number })).safeParse({
      a: { x: 1 },
      b: { x: '' },
      c: 3,
      d: 4,
    });
    expect(error?.issues.map(({ path }) => path)).toEqual([['b', 'x']]);
    expect(seen).toEqual([1, '']);
  });

  it('of more members than there may be is not read at all', () => {
    const { seen, number } = counting();
    const members = Object.fromEntries(
      Array.from({ length: budgets.members + 1 }, (_, at) => [`n${at}`, at]),
    );
    expect(wireRecord(number).safeParse(members).error?.issues).toHaveLength(1);
    for (const other of [null, [], 'a', undefined])
      expect(wireRecord(number).safeParse(other).success).toBe(false);
    expect(seen).toEqual([]);
  });

  it('of members takes none of them out before its turn', () => {
    let taken = 0;
    const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, 1]));
    const watched = new Proxy(members, { get: (target, name: string) => (taken++, target[name]) });
    expect(wireRecord(z.string()).safeParse(watched).success).toBe(false);
    expect(taken).toBeLessThan(10);
  });

  it('of wrong traceback lines leaves the rest of a history', () => {
    const data = { prompt_id: 'a', node_id: '1', exception_message: 'no', traceback: Array(1_000).fill(1) };
    const messages = [['execution_error', data]];
    const [job] = historyAnswer.parse({ a: { status: { status_str: 'error', messages } } });
    expect(job?.failure).toMatchObject({ message: 'no', traceback: [] });
  });
});

it('an answer that is too large is one sentence that names the endpoint', () => {
  const text = `{"queue_running":[],"queue_pending":${'['.repeat(5_000)}`;
  expect(() => readAnswer(queueSnapshot, text, 'GET /api/queue')).toThrow(
    "The response to GET /api/queue is nested more than 900 levels deep, so it wasn't read.",
  );
});

const unusable = ['', ' ', '.', '..', 'a\nb', 'a\u001b[2Jb', '\ud800', 'a\u202eb', 'x'.repeat(100_000)];

describe('the id of a job', () => {
  it.each(['p', '11111111-2222-4333-8444-555555555555', 'a/../b', '-x', '...', 'Größe 1'])('is %j', (id) => {
    expect(isJobId(id)).toBe(true);
  });

  it.each(unusable)("is invalid if it can't be used in a request (case %#)", (id) => {
    expect(promptAnswer.safeParse({ prompt_id: id }).success).toBe(false);
    expect(jobListings.parse({ jobs: [{ id, status: 'pending' }] }).jobs).toEqual([]);
    expect(queueSnapshot.parse({ queue_running: [[1, id]], queue_pending: [[2, id]] })).toEqual({
      running: [],
      pending: [],
    });
    expect(historyAnswer.parse({ [id]: {} })).toEqual([]);
    expect(readMessage('executing', { node: '3', prompt_id: id })).toBeUndefined();
  });

  it('that is invalid does not affect other jobs of a list', () => {
    const jobs = [...unusable, 'p'].map((id) => ({ id, status: 'pending' }));
    expect(jobListings.parse({ jobs }).jobs.map(({ id }) => id)).toEqual(['p']);
  });
});
