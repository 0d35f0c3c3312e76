import { describe, expect, it } from 'vitest';
import { EventJob } from '../../../src/core/jobs/eventJob';
import type { Job } from '../../../src/core/jobs/job';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import { jobMessages } from '../../../src/core/jobs/jobWords';
import { creditsText, runPrice, priceInText } from '../../../src/core/jobs/runPrice';
import { savingRecord, sendingRecord } from '../../../src/core/records/recordSteps';
import { readRunRecord, writeRunRecord } from '../../../src/core/records/runRecord';
import { budgets } from '../../../src/core/safety/budgets';
import {
  begin,
  event,
  executing,
  id,
  reduced,
  reduceJobs,
  server,
  start,
  stored,
  submitted,
  success,
} from './observations';

const words = (price: string, seconds: number) =>
  `Status: processing\nPrice: ${price}\nTime elapsed: ${seconds}s (~20s remaining)`;

function says(nodeId: string, price: string, seconds: number): JobObservation {
  const text = words(price, seconds);
  return event({ type: 'progressText', promptId: id, nodeId, text }, start + 2_000 + seconds * 1_000);
}

describe('the price in a text', () => {
  it.each([
    [words('1,234.5 credits', 5), 1234.5],
    [words('1 credit', 5), 1],
    ['Price: 0.25 credits', 0.25],
    ['Status: completed\nPrice: 12,345,678 credits', 12_345_678],
    ['Status: processing\nTime elapsed: 5s', undefined],
    ['The Price: 5 credits', undefined],
    ['Price: free', undefined],
    ['Price: 5 credits per second', undefined],
    ['Price: 1234.5 credits', 1234.5],
    ['Price: 1,5 credits', undefined],
    ['Price: 1,,,2 credits', undefined],
    ['Price: 9999999999999999 credits', undefined],
    ['Price: NaN credits', undefined],
    ['Price: -5 credits', undefined],
    ['Price: ٣ credits', undefined],
    ['Price: 5\u001b[31m credits', undefined],
  ])('of %j is %j', (text, price) => {
    expect(priceInText(text)).toBe(price);
  });

  it('is shown with the digits that it has', () => {
    expect([1, 0.5, 1234.5].map(creditsText)).toEqual(['1 credit', '0.5 credits', '1,234.5 credits']);
  });
});

describe('what a run cost', () => {
  const told = [
    submitted(),
    event(begin, start + 1_000),
    event(executing('1'), start + 1_000),
    says('1', '10 credits', 1),
    says('1', '12.1 credits', 2),
    event(executing('2'), start + 5_000),
    says('2', '0.2 credits', 4),
  ];

  it('is the last price of each node, in any order and however often it was told', () => {
    const price = { credits: 12.3, nodes: { '1': 12.1, '2': 0.2 } };
    expect(runPrice(reduced(told))).toEqual(price);
    expect(runPrice(reduced([...told, ...told]))).toEqual(price);
    expect(runPrice(reduced([submitted(), ...told.slice(1).reverse()]))).toEqual(price);
  });

  it('is what was told last, also within a millisecond', () => {
    const job = reduced([submitted(), ...[5, 9, 7].map((price) => says('1', `${price} credits`, 1))]);
    expect(runPrice(job)).toEqual({ credits: 7, nodes: { '1': 7 } });
    expect(jobMessages(job)).toMatchObject([{ text: words('7 credits', 1) }]);
  });

  it('still counts for a node with as many executions as are kept', () => {
    const parts = Array.from({ length: budgets.nodesOfJob }, (_, index) => [`1.0.0.${index}_2`, {}] as const);
    const node = {
      nodeId: '2',
      state: 'running',
      value: 0,
      max: 1,
      parts: Object.fromEntries(parts),
    } as const;
    const full: Job = { ...reduced([submitted(), event(begin)]), nodes: { '2': node } };
    const told = ['1.0.0.7_2', '1.0.0.new_2', '2'].map((part) => says(part, '5 credits', 1));
    const job = told.reduce<ReadonlyMap<string, Job>>(reduceJobs, new Map([[id, full]])).get(id);
    expect(job && runPrice(job)?.nodes['2']).toBe(10);
  });

  it('stays if a later text has none', () => {
    const end = event(
      { type: 'progressText', promptId: id, nodeId: '1', text: 'Status: completed' },
      start + 90_000,
    );
    expect(runPrice(reduced([...told, end]))?.nodes['1']).toBe(12.1);
  });

  it('is summed over the iterations of a loop', () => {
    const iterations = [0, 1, 2].flatMap((index) => [
      event(executing(`1.0.0.${index}_2`, '2'), start + 10_000 * index),
      says(`1.0.0.${index}_2`, '1 credit', 10 * index),
      says(`1.0.0.${index}_2`, '5.5 credits', 10 * index + 1),
    ]);
    expect(runPrice(reduced([submitted(), ...iterations]))).toEqual({ credits: 16.5, nodes: { '2': 16.5 } });
  });

  it('is kept in the record, also after a window that heard nothing of it', () => {
    const record = sendingRecord({ server, label: 'w.json', seeds: {}, sentAt: start });
    const known = savingRecord(record, reduced([...told, event(success, start + 9_000)]), []);
    expect(known.price).toEqual({ credits: 12.3, nodes: { '1': 12.1, '2': 0.2 } });
    const read = readRunRecord(Buffer.from(writeRunRecord(known)).toString());
    expect(read && savingRecord(read, stored('completed'), []).price).toEqual(known.price);
    const odd = JSON.stringify({ ...known, price: { credits: 'all' } });
    expect(readRunRecord(odd)).toMatchObject({ label: 'w.json', price: undefined });
    const huge = JSON.stringify({ ...known, price: { credits: 1e308, nodes: {} } });
    expect(readRunRecord(huge)?.price).toBeUndefined();
  });
});

it('is heard of each partner node that runs, not only of the one that started last', () => {
  const job = reduced([submitted(), event(begin), event(executing('1')), event(executing('2'))]);
  const running = {
    ...job,
    nodes: { ...job.nodes, '1': { nodeId: '1', state: 'running', value: 0, max: 1 } as const },
  };
  const events = new EventJob(
    () => running,
    () => [id],
    () => 0,
  );
  events.heard(executing('2'), id);
  const text = { type: 'progressText', text: 'Price: 5 credits' } as const;
  expect(events.named({ ...text, nodeId: '1' })).toMatchObject({ promptId: id });
  expect(events.named({ ...text, nodeId: '9' })).not.toHaveProperty('promptId');
});
