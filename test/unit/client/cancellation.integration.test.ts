import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Arrival } from '../../support/loopback';
import { sendJson } from '../../support/loopback';
import type { Connection, Routes } from './executionServer';
import { cloud, connect, json, localQueue, newLocal, oldLocal, remembered } from './executionServer';
import type { Capabilities } from '../../../src/core/client/capabilities';

let connection: Connection;

async function cancel(capabilities: Capabilities, routes: Routes, id = 'mine') {
  connection = await connect(capabilities, routes);
  return connection.client.cancel(id);
}

const cancelled = (value: boolean): Routes => ({ 'POST /api/jobs/mine/cancel': json({ cancelled: value }) });

const job = (status: string | undefined): Routes => ({
  '/api/jobs/mine':
    status === undefined ? json({ error: 'Job not found' }, 404) : json({ id: 'mine', status }),
});

describe('with a cancel endpoint', () => {
  it.each([
    [newLocal, true, 'in_progress', 'requested'],
    [newLocal, true, undefined, 'cancelled'],
    [cloud, true, 'cancelled', 'cancelled'],
    [cloud, true, 'cancel_requested', 'requested'],
    [cloud, true, 'success', 'alreadyEnded'],
    [newLocal, false, 'completed', 'alreadyEnded'],
    [newLocal, false, undefined, 'notFound'],
  ])('of $dialect that answers %s a job that is then %s is %s', async (server, answer, status, result) => {
    expect(await cancel(server, { ...cancelled(answer), ...job(status) })).toBe(result);
  });

  it('does not look for a job that the cloud does not know', async () => {
    const unknown = json({ code: 'NOT_FOUND', message: 'Job not found' }, 404);
    expect(await cancel(cloud, { 'POST /api/jobs/mine/cancel': unknown })).toBe('notFound');
    expect(connection.asked()).toEqual(['POST /api/jobs/mine/cancel']);
  });
});

/** A server whose queue the test controls. */
function queueOf(running: string[], pending: string[], history: object = {}): Routes {
  return {
    '/api/queue': (response) => sendJson(response, 200, localQueue(running, pending)),
    'POST /api/queue': (response, arrival) => {
      const { delete: ids } = JSON.parse(arrival.body) as { delete: string[] };
      for (const id of ids) if (pending.includes(id)) pending.splice(pending.indexOf(id), 1);
      response.end();
    },
    'POST /api/interrupt': (response) => void response.end(),
    '/api/history/mine': json(history),
  };
}

const bodies = (path: string) =>
  connection.server.arrivals
    .filter((arrival: Arrival) => arrival.path === path && arrival.method === 'POST')
    .map(({ body }) => body);

describe('through the queue', () => {
  it('removes a queued job', async () => {
    expect(await cancel(oldLocal, queueOf(['other'], ['mine']))).toBe('cancelled');
    expect(bodies('/api/queue')).toEqual(['{"delete":["mine"]}']);
    expect(bodies('/api/interrupt')).toEqual([]);
  });

  it('interrupts the running job by its ID', async () => {
    expect(await cancel(oldLocal, queueOf(['mine'], ['other']))).toBe('requested');
    expect(bodies('/api/interrupt')).toEqual(['{"prompt_id":"mine"}']);
    expect(bodies('/api/queue')).toEqual([]);
  });

  it('never interrupts when another job runs', async () => {
    expect(await cancel(oldLocal, queueOf(['other'], []))).toBe('notFound');
    expect(bodies('/api/interrupt')).toEqual([]);
  });

  it('interrupts a job that started while being removed', async () => {
    const running: string[] = [];
    const pending = ['mine'];
    const routes: Routes = {
      ...queueOf(running, pending),
      'POST /api/queue': (response) => {
        running.push(...pending.splice(0));
        response.end();
      },
    };
    expect(await cancel(oldLocal, routes)).toBe('requested');
    expect(bodies('/api/interrupt')).toEqual(['{"prompt_id":"mine"}']);
  });

  it('finds ended jobs in the history', async () => {
    const after = (end: string) => cancel(oldLocal, queueOf([], [], remembered('mine', end)));
    expect(await after('execution_success')).toBe('alreadyEnded');
    expect(await after('execution_interrupted')).toBe('cancelled');
  });

  it('remembers that the endpoint is missing', async () => {
    connection = await connect(oldLocal, queueOf(['mine'], []));
    await connection.client.cancel('mine');
    await connection.client.cancel('mine');
    expect(bodies('/api/jobs/mine/cancel')).toHaveLength(1);
  });

  it('of the cloud removes a running job too', async () => {
    const running = ['mine', 'other'];
    const routes: Routes = {
      ...queueOf(running, []),
      ...job('cancelled'),
      'POST /api/queue': (response) => {
        running.shift();
        sendJson(response, 200, { deleted: ['mine'] });
      },
    };
    expect(await cancel(cloud, routes)).toBe('cancelled');
    expect(bodies('/api/interrupt')).toEqual([]);
  });

  it('of the cloud never interrupts, which could end the next job', async () => {
    for (const running of [['mine'], ['mine', 'other']]) {
      const routes = { ...queueOf(running, []), 'POST /api/queue': json({}), ...job('in_progress') };
      expect(await cancel(cloud, routes)).toBe('requested');
      expect(bodies('/api/queue')).toEqual(['{"delete":["mine"]}']);
      expect(bodies('/api/interrupt')).toEqual([]);
    }
  });

  it.each([cloud, newLocal, oldLocal])('is accepted whatever fails beside it ($dialect)', async (server) => {
    const fails = (response: ServerResponse): void => sendJson(response, 500, {});
    let isDeleted = false;
    const routes: Routes = {
      ...cancelled(true),
      ...queueOf([], ['mine']),
      'POST /api/queue': (response) => {
        isDeleted = true;
        response.end();
      },
      '/api/queue': (response) => {
        if (isDeleted) fails(response);
        else sendJson(response, 200, localQueue([], ['mine']));
      },
      '/api/jobs/mine': fails,
      '/api/job/mine/status': fails,
    };
    expect(await cancel(server, routes)).toBe('requested');
  });

  it('asks by ID alone where no queue can be read, and interrupts nothing', async () => {
    for (const odd of [{}, [], { running: ['mine'], pending: [] }, { queue_running: 3 }]) {
      expect(await cancel(oldLocal, { ...queueOf([], []), '/api/queue': json(odd) })).toBe('requested');
      expect(bodies('/api/queue')).toEqual(['{"delete":["mine"]}']);
      expect(bodies('/api/interrupt')).toEqual([]);
    }
  });
});

it('removes queued jobs by ID, and never clears the queue', async () => {
  const pending = ['mine', 'theirs', 'second'];
  connection = await connect(oldLocal, queueOf(['other'], pending));
  await connection.client.deletePending(['mine', 'second']);
  expect(bodies('/api/queue')).toEqual(['{"delete":["mine","second"]}']);
  expect(pending).toEqual(['theirs']);
});

it('removes many in one request, and sends none for none', async () => {
  connection = await connect(newLocal, queueOf([], []));
  await connection.client.deletePending([]);
  await connection.client.deletePending(Array.from({ length: 250 }, (_, index) => `job-${index}`));
  const sizes = bodies('/api/queue').map((body) => (JSON.parse(body) as { delete: string[] }).delete.length);
  expect(sizes).toEqual([250]);
});
