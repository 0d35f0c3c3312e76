import { expect, it } from 'vitest';
import {
  type Answer,
  ask,
  Listener,
  type Message,
  post,
  sandboxForTest,
  submit,
} from '../../../support/sandboxFixture';
import { smallPrompt } from '../../../support/promptFile';
import { onePixelPng } from '../../../support/sandboxTestNodes';
import { picture, through } from '../../cli/workflows';

/** `executing` without a node is the last message about a job. */
function ends(events: Listener, id: string): Promise<void> {
  return events.until(({ messages }) =>
    messages.some(({ type, data }) => type === 'executing' && !data['node'] && data['prompt_id'] === id),
  );
}

function form(parts: Readonly<Record<string, string>>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) body.set(name, value);
  body.set('image', new Blob([Buffer.from(onePixelPng())]), 'a.png');
  return body;
}

const original = { filename: 'a.png', subfolder: '', type: 'input' };

const prompt = (more: object) => ['/api/prompt', { prompt: picture, ...more }] as const;
const mask = (ref: object, more: Record<string, string> = {}) =>
  ['/api/upload/mask', form({ original_ref: JSON.stringify(ref), ...more })] as const;

it.each([
  ['a prompt with a client', 'client_id', prompt({ client_id: 'a' })],
  ['a prompt with targets', 'partial_execution_targets', prompt({ partial_execution_targets: ['2'] })],
  ['a prompt with a place', 'front', prompt({ front: true })],
  ['extra data that is no object', 'extra_data', prompt({ extra_data: 1 })],
  ['a picture for a folder', 'subfolder', ['/api/upload/image', form({ subfolder: 'a' })]],
  ['a mask that overwrites', 'overwrite', mask(original, { overwrite: 'true' })],
  ['a mask of a picture in other words', 'overlay', mask({ ...original, overlay: 1 })],
  ['a cleared queue', 'clear', ['/api/queue', { clear: true }]],
  ['an interrupt by id', 'prompt_id', ['/api/interrupt', { prompt_id: 'a' }]],
  ['a small picture', 'res', ['/api/view?filename=a.png&type=output&res=64']],
  ['a part of the queue', 'limit', ['/api/queue?limit=1']],
  ['a review with words', 'words', ['/nodes/lighthouse-nodes/reviews?star=5&words=good', '']],
] as const)('refuses %s, and names %s', async (_what, member, [target, body]) => {
  const { url } = await sandboxForTest({ dialect: 'documented' });
  const isForm = body instanceof FormData;
  const asked = isForm ? { method: 'POST', body } : {};
  const { status, text } =
    body === undefined || isForm ? await ask(`${url}${target}`, asked) : await post(`${url}${target}`, body);
  expect(status).toBe(400);
  expect(text).toContain(member);
  expect((await ask(`${url}/api/queue`)).json).toEqual({ queue_running: [], queue_pending: [] });
});

it('answers with the documented members alone', async () => {
  const { url } = await sandboxForTest({ dialect: 'documented' });
  const answer = await post(`${url}/api/prompt`, {
    prompt: picture,
    extra_data: { whatever: [{ it: 'is' }], api_key_comfy_org: 'key' },
  });
  expect(answer.json).toEqual({ prompt_id: expect.any(String) as string });
  const id = String(answer.json['prompt_id']);
  await expect
    .poll(async () => (await ask(`${url}/api/job/${id}/status`)).json)
    .toEqual({ status: 'completed' });
  expect((await post(`${url}/api/queue`, { delete: [id] })).json).toEqual({});
  expect((await post(`${url}/api/interrupt`, '')).json).toEqual({});
});

it('has no path but the documented ones', async () => {
  const { url } = await sandboxForTest({ dialect: 'documented' });
  for (const path of [
    '/queue',
    '/object_info',
    '/api/nodes',
    '/nodes',
    '/nodes/lighthouse-nodes',
    '/api/prompt',
  ])
    expect((await ask(`${url}${path}`)).status, path).toBe(404);
  expect((await post(`${url}/prompt`, { prompt: picture })).status).toBe(404);
  await expect(Listener.open(`${url}/api`, 'clientId=a')).rejects.toThrow('404');
  await expect(Listener.open(url, 'clientId=a&lang=en')).rejects.toThrow('400');
});

/** Every field that the contract knows, by message (contract 6.1). */
const fields: Readonly<Record<string, readonly string[]>> = {
  status: ['queue_remaining'],
  notification: ['value', 'prompt_id'],
  execution_start: ['prompt_id'],
  executing: ['node', 'prompt_id'],
  progress: ['value', 'max', 'prompt_id'],
  progress_state: ['nodes', 'prompt_id'],
  executed: ['node', 'output', 'prompt_id'],
  execution_cached: ['nodes', 'prompt_id'],
  execution_success: ['prompt_id'],
  execution_error: ['exception_type', 'exception_message', 'traceback', 'prompt_id'],
  execution_interrupted: ['prompt_id'],
};

function strangeFields({ type, data }: Message): string[] {
  const known = fields[type] ?? [];
  const own = Object.keys(data).filter((name) => !known.includes(name));
  const missing = type === 'status' || data['prompt_id'] !== undefined ? [] : ['no prompt_id'];
  return [...own, ...missing].map((name) => `${type}: ${name}`);
}

it('sends the documented messages with the documented fields alone, each with the id of its job', async () => {
  const { url } = await sandboxForTest({ dialect: 'documented' });
  const events = await Listener.open(url, 'clientId=a');
  for (const nodes of [
    picture,
    picture,
    through('SandboxSlow', { steps: 3 }),
    through('SandboxFail', { how: 'value' }),
    through('SandboxBlock', { block: true, message: 'not today' }),
  ]) {
    await ends(events, await submit(url, nodes));
  }
  const stopped = await submit(url, through('SandboxSlow', { steps: 10_000 }));
  await events.until(({ messages }) =>
    messages.some(({ data }) => data['node'] === '3' && data['prompt_id'] === stopped),
  );
  await post(`${url}/api/queue`, { delete: [stopped] });
  await ends(events, stopped);
  expect(events.messages.flatMap(strangeFields)).toEqual([]);
  expect([...new Set(events.types())].sort()).toEqual(Object.keys(fields).sort());
  const made = events.of('executed').map(({ data }) => data['output']);
  expect(made.length).toBeGreaterThan(1);
  for (const output of made)
    expect(output).toEqual({
      images: [{ filename: expect.any(String) as string, subfolder: '', type: 'output' }],
    });
});

it.each([
  ['value', 'ValidationError'],
  ['memory', 'OOMError'],
  ['ModelDownloadError', 'ModelDownloadError'],
  ['ImageDownloadError', 'ImageDownloadError'],
  ['InsufficientFundsError', 'InsufficientFundsError'],
  ['InactiveSubscriptionError', 'InactiveSubscriptionError'],
])('reports a failure (%s) as one of the six documented types', async (how, type) => {
  const { url } = await sandboxForTest({ dialect: 'documented' });
  const events = await Listener.open(url, 'clientId=a');
  await ends(events, await submit(url, through('SandboxFail', { how })));
  expect(events.of('execution_error').map(({ data }) => data['exception_type'])).toEqual([type]);
});

it('sends frames of a type, a format code and the content, without a length or an id', async () => {
  const { url } = await sandboxForTest({ dialect: 'documented' });
  const events = await Listener.open(url, 'clientId=a');
  await ends(events, await submit(url, smallPrompt()));
  await ends(events, await submit(url, through('SandboxSlow', { steps: 1 })));
  const head = (frame: Buffer): number[] => [frame.readUInt32BE(0), frame.readUInt32BE(4)];
  const previews = events.frames.filter((frame) => frame.readUInt32BE(0) === 4);
  const texts = events.frames.filter((frame) => frame.readUInt32BE(0) === 3);
  expect(previews.length).toBeGreaterThan(0);
  for (const frame of previews)
    expect([...head(frame), frame.toString('latin1', 9, 12)]).toEqual([4, 2, 'PNG']);
  expect(texts.map((frame) => [...head(frame), frame.toString('utf8', 8)])).toEqual([[3, 1, 'step 1 of 1']]);
  expect(events.frames).toHaveLength(previews.length + texts.length);
});

it('takes the key in the documented places alone', async () => {
  const { url } = await sandboxForTest({ dialect: 'documented', apiKey: 'test-key' });
  const bearer = { Authorization: 'Bearer test-key' };
  const apiKey = { 'X-API-Key': 'test-key' };
  expect((await ask(`${url}/api/queue`)).status).toBe(401);
  expect((await ask(`${url}/api/queue`, { headers: bearer })).status).toBe(401);
  expect((await ask(`${url}/api/queue`, { headers: apiKey })).status).toBe(200);
  await expect(Listener.open(url, 'clientId=a')).rejects.toThrow('401');
  await Listener.open(url, 'clientId=a&token=test-key');
  expect((await music(url, {}, apiKey)).status).toBe(401);
  expect((await music(url, {}, bearer)).status).toBe(200);
});

function music(
  url: string,
  more: Readonly<Record<string, string>> = {},
  headers: Record<string, string> = {},
) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ prompt: 'A harbour', duration: '1', ...more }))
    body.set(name, value);
  return ask(`${url}/proxy/sonilo/t2m/generate`, { method: 'POST', body, headers });
}

it('answers music with title lines alone, and refuses other fields and other forms', async () => {
  const { url } = await sandboxForTest({ dialect: 'documented' });
  const { text, headers } = await music(url);
  const [line = '', end, ...rest] = text.split('\n');
  const members = 'copy_index display_tags prompt_index stream_index summary title type';
  expect(Object.keys(JSON.parse(line) as object).sort()).toEqual(members.split(' '));
  expect([end, rest, headers.has('x-comfy-credits-used')]).toEqual(['', [], false]);
  const refused = await music(url, { seed: '1' });
  expect([refused.status, refused.json]).toEqual([
    400,
    { detail: { code: 'INVALID_REQUEST', message: 'Unknown member seed' } },
  ]);
  const urlencoded = new URLSearchParams({ prompt: 'A harbour', duration: '1' });
  expect((await ask(`${url}/proxy/sonilo/t2m/generate`, { method: 'POST', body: urlencoded })).status).toBe(
    400,
  );
});

const nodeFields =
  'id name author description banner_url icon category created_at downloads github_stars latest_version license preempted_comfy_node_names publisher rating repository search_ranking status status_detail supported_accelerators supported_comfyui_frontend_version supported_comfyui_version supported_os tags tags_admin translations';
const versionFields =
  'id node_id version changelog comfy_node_extract_status createdAt dependencies deprecated downloadUrl status status_reason supported_accelerators supported_comfyui_frontend_version supported_comfyui_version supported_os tags tags_admin';
const publisherFields = 'id name description logo createdAt members source_code_repo status support website';

it('takes a review without a credential, and answers with the documented record and errors', async () => {
  const { url } = await sandboxForTest({ dialect: 'documented' });
  const review = (id: string, star: string): Promise<Answer> =>
    post(`${url}/nodes/${id}/reviews?star=${star}`, '');
  const { status, json } = await review('lighthouse-nodes', '5');
  expect(status).toBe(200);
  expect(nodeFields.split(' ')).toEqual(expect.arrayContaining(Object.keys(json)));
  expect(versionFields.split(' ')).toEqual(
    expect.arrayContaining(Object.keys(json['latest_version'] as object)),
  );
  expect(publisherFields.split(' ')).toEqual(
    expect.arrayContaining(Object.keys(json['publisher'] as object)),
  );
  for (const star of ['', 'many', '9']) {
    const refused = await review('lighthouse-nodes', star);
    expect([refused.status, refused.text]).toEqual([400, '']);
  }
  const missing = await review('nobody-knows-it', '5');
  expect([missing.status, missing.json]).toEqual([
    404,
    { message: expect.any(String) as string, details: ['nobody-knows-it'] },
  ]);
  const again = await review('lighthouse-nodes', '4');
  expect([again.status, Object.keys(again.json)]).toEqual([500, ['error', 'message']]);
});
