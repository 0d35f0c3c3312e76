import { expect, it } from 'vitest';
import { ask, Listener, post, sandboxForTest, submit } from '../../../support/sandboxFixture';
import { stepsPrompt, testNodes } from '../../../support/sandboxTestNodes';

it('answer is sent once on the chosen route, and nothing is executed', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  faults.set('answer', { method: 'POST', path: '/prompt', kind: 'queueLimit', retryAfter: 7, times: 1 });
  expect((await ask(`${url}/api/queue`)).json).toEqual({ queue_running: [], queue_pending: [] });
  const refused = await post(`${url}/api/prompt`, { prompt: stepsPrompt() });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
  expect(refused.text).toContain('QUEUE_LIMIT');
  expect((await ask(`${url}/api/jobs`)).json['jobs']).toEqual([]);
  expect((await post(`${url}/api/prompt`, { prompt: stepsPrompt() })).status).toBe(200);
});

it('loseAnswer accepts the prompt and cuts the connection', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  faults.set('loseAnswer', { times: 1 });
  await expect(post(`${url}/api/prompt`, { prompt: stepsPrompt() })).rejects.toThrow();
  const { json } = await ask(`${url}/api/jobs`);
  expect(json['jobs']).toHaveLength(1);
});

it('deliverLate answers like a gateway and executes the request later', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  faults.set('deliverLate', { afterMs: 600, times: 1 });
  expect((await post(`${url}/api/prompt`, { prompt: stepsPrompt() })).status).toBe(504);
  expect((await ask(`${url}/api/jobs`)).json['jobs']).toEqual([]);
  await expect.poll(async () => (await ask(`${url}/api/jobs`)).json['jobs']).toHaveLength(1);
});

it('wrongClock moves the times of answers and jobs alike', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  faults.set('wrongClock', { byMs: -3_600_000 });
  await submit(url, stepsPrompt());
  const { headers, json } = await ask(`${url}/api/jobs`);
  const [job] = json['jobs'] as { create_time: number }[];
  const told = Date.parse(headers.get('date') ?? '');
  expect(Math.abs(told - (job?.create_time ?? 0))).toBeLessThan(60_000);
  expect(Date.now() - told).toBeGreaterThan(3_500_000);
});

it('notFoundAfterSubmit answers 404 so many times, then truthfully', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  faults.set('notFoundAfterSubmit', { times: 2 });
  const id = await submit(url, stepsPrompt());
  expect((await ask(`${url}/api/jobs/${id}`)).status).toBe(404);
  expect((await ask(`${url}/api/job/${id}/status`)).status).toBe(404);
  expect((await ask(`${url}/api/jobs/${id}`)).json['id']).toBe(id);
});

it('lagOutputs shows an ended job without outputs so many times', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a');
  const id = await submit(url, stepsPrompt(1));
  await events.untilEnded(id);
  faults.set('lagOutputs', { times: 2 });
  const detail = `${url}/api/jobs/${id}`;
  expect((await ask(detail)).json).toMatchObject({ status: 'completed', outputs: {}, outputs_count: 0 });
  expect((await ask(detail)).json).toMatchObject({ status: 'completed', outputs: {} });
  expect((await ask(detail)).json).toMatchObject({ outputs_count: 1, outputs: { '2': { images: [{}] } } });
});

it('rawStates plays a sequence of states, then the real one', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a');
  const id = await submit(url, stepsPrompt(1));
  await events.untilEnded(id);
  faults.set('rawStates', { states: ['submitted', 'queued_waiting', 'never_heard_of'] });
  const told: unknown[] = [];
  for (let time = 0; time < 4; time++) told.push((await ask(`${url}/api/job/${id}/status`)).json['status']);
  expect(told).toEqual(['submitted', 'queued_waiting', 'never_heard_of', 'success']);
});

it('lateValidationError accepts, then fails the job with the refusal inside its text', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a');
  faults.set('lateValidationError', { times: 1 });
  const bad = { '1': { class_type: 'TestSave', inputs: { value: 1 } } };
  const id = await submit(url, bad);
  await events.untilEnded(id);
  const [error] = events.of('execution_error');
  const text = String(error?.data['exception_message']);
  const embedded = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Record<
    string,
    unknown
  >;
  expect(embedded['error']).toMatchObject({ type: 'prompt_outputs_failed_validation' });
  expect(embedded['node_errors']).toHaveProperty('1');
  const job = await ask(`${url}/api/jobs/${id}`);
  expect(job.json).toMatchObject({ status: 'failed', execution_error: { exception_message: text } });
});

it('nodeErrorsOnSuccess accepts with node errors beside the id', async () => {
  const { url, faults } = await sandboxForTest({ nodes: testNodes });
  faults.set('nodeErrorsOnSuccess', { times: 1 });
  const answer = await post(`${url}/api/prompt`, { prompt: stepsPrompt() });
  expect(answer.status).toBe(200);
  expect(answer.json['node_errors']).toHaveProperty('1');
  expect((await post(`${url}/api/prompt`, { prompt: stepsPrompt() })).json['node_errors']).toEqual({});
});

it('hang keeps jobs running forever, even if cancelled, until it is cleared', async () => {
  const { url, faults } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a');
  faults.set('hang');
  const id = await submit(url, stepsPrompt(1), { client_id: 'a' });
  const waiting = await submit(url, stepsPrompt(1, 1), { client_id: 'a' });
  await expect.poll(async () => (await ask(`${url}/api/jobs/${id}`)).json['status']).toBe('in_progress');
  expect((await post(`${url}/api/jobs/${id}/cancel`, '')).json).toEqual({ cancelled: true });
  expect((await ask(`${url}/api/jobs/${id}`)).json['status']).toBe('in_progress');
  expect((await ask(`${url}/api/jobs/${waiting}`)).json['status']).toBe('pending');
  faults.clear('hang');
  await events.untilEnded(waiting);
});

it('a link to a missing node kills the local worker', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const poison = { '2': { class_type: 'TestSave', inputs: { value: 1, name: 'x', unknown: ['77', 0] } } };
  const id = await submit(url, poison, { client_id: 'a' });
  const next = await submit(url, stepsPrompt(1), { client_id: 'a' });
  await expect.poll(async () => (await ask(`${url}/api/jobs/${id}`)).json['status']).toBe('in_progress');
  await post(`${url}/interrupt`, '');
  expect((await ask(`${url}/api/jobs/${id}`)).json['status']).toBe('in_progress');
  expect((await ask(`${url}/api/jobs/${next}`)).json['status']).toBe('pending');
});
