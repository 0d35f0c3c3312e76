import { readFileSync } from 'node:fs';
import { ServerClock, Transport } from '../../../src/core/client/transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import { undiciStack } from '../../../src/cli/undiciStack';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunSession } from '../../../src/core/runLife/runSession';
import { sandboxForTest } from '../../support/sandboxFixture';
import { asksOf, picture, run, sandboxSession, sessionWith } from './runFixture';
import { FolderNotUsableError } from '../../../src/core/outputs/checkFolder';
import { recordsIn } from '../../../src/core/records/recordFile';
import type { OwnedRun } from '../../../src/core/runLife/ownedRun';
import { MemoryFolder } from '../outputs/memoryFolder';

const partner = readFileSync('samples/partner-image.json', 'utf8');

const loading = {
  1: { class_type: 'LoadImage', inputs: { image: 'mine.png' } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
};

/** The local file `mine.png` is a picture that the server made. */
async function asksWithPicture(session: RunSession) {
  const made = await run(session, picture, asksOf());
  if (made.kind !== 'submitted') throw new Error(made.kind);
  const [file] = (await session.tracker.finished(made.jobId)).outputs;
  if (!file) throw new Error('no picture');
  const bytes = new Uint8Array(await new Response((await session.client.view(file)).body).arrayBuffer());
  const names = { place: '/project/mine.png', description: 'mine.png', relative: 'mine.png' };
  const media = { ...names, bytes: () => Promise.resolve(bytes), size: bytes.length, marks: [] };
  return asksOf({ localMedia: () => Promise.resolve(media) });
}

describe('runWorkflow', () => {
  it('checks, opens the socket, posts once and tracks the job', async () => {
    const { sandbox, session, store } = await sandboxSession({ dialect: 'local' });
    const asks = asksOf();
    const outcome = await run(session, picture, asks, { uri: 'file:///w.json' });
    if (outcome.kind !== 'submitted') throw new Error(outcome.kind);
    expect(asks.asked).toEqual(['checking', 'connecting', 'submitting']);
    expect(outcome).toMatchObject({ findings: [], run: { checked: true } });
    expect(store.get(outcome.jobId)).toMatchObject({
      server: session.origin,
      origin: {
        label: 'w.json',
        sourceUri: 'file:///w.json',
        nodeNames: { 1: 'EmptyImage', 2: 'SaveImage' },
      },
    });
    expect(await session.tracker.finished(outcome.jobId)).toMatchObject({ state: 'completed' });
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
    const paths = sandbox.seen.requests.map(({ path }) => path.replace('/api', ''));
    expect(paths.indexOf('/ws')).toBeLessThan(paths.indexOf('/prompt'));
  });

  it('posts only after recording the run as owed', async () => {
    const { sandbox, session } = await sandboxSession();
    const steps: string[] = [];
    const note = (step: string) => () => {
      steps.push(`${step}, ${sandbox.seen.count('POST', '/prompt')} posted`);
      return Promise.resolve();
    };
    const put = async ({ jobId }: OwnedRun) => {
      // A slow disk: a submitter that does not wait for it would have posted by then.
      for (let turn = 0; turn < 20; turn++) await fetch(`${sandbox.url}/api/queue`);
      await note(jobId === undefined ? 'written' : 'accepted')();
    };
    const pointers = { put, remove: note('not accepted') };
    expect(await run(session, picture, asksOf({ pointers }))).toMatchObject({ kind: 'submitted' });
    expect(steps).toEqual(['written, 0 posted', 'accepted, 1 posted']);
  });

  it.each([
    ['gatewayTimeout', 'sending'],
    ['internal', 'sending'],
    ['unauthorized', undefined],
  ] as const)('keeps what may have been accepted on the list of owed runs: %s, %s', async (kind, state) => {
    const { sandbox, session } = await sandboxSession();
    sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind });
    const asks = asksOf();
    const sent = await run(session, picture, asks, { lookOut: 10 }).catch(() => undefined);
    expect(sent?.kind).toBe(state && 'unknown');
    for await (const { record } of recordsIn(asks.folder)) expect(record.state).toBe(state);
    // The record, without a lock.
    expect(await asks.folder.list()).toHaveLength(state ? 1 : 0);
  });

  it("posts nothing that can't be recorded", async () => {
    const { sandbox, session } = await sandboxSession();
    const folder = new MemoryFolder();
    folder.room = 0;
    await expect(run(session, picture, asksOf({ folder }))).rejects.toBeInstanceOf(FolderNotUsableError);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
  });

  it('sends no key without partner nodes, and asks first with them', async () => {
    const { session, bodies } = await sandboxSession();
    await run(session, picture, asksOf());
    expect(bodies.join()).not.toContain('api_key_comfy_org');
    const asks = asksOf();
    const outcome = await run(session, partner, asks);
    expect(asks.asked.slice(0, 3)).toEqual(['checking', expect.stringMatching(/^spend \w+$/), 'key']);
    expect(bodies.at(-1)).toContain('partner-key');
    expect(outcome.kind).toBe('submitted');
  });

  it('sends nothing when the user declines to spend or has no key', async () => {
    const { sandbox, session } = await sandboxSession();
    const no = asksOf({ maySpend: () => Promise.resolve(false) });
    expect(await run(session, partner, no)).toEqual({ kind: 'declined', what: 'spending' });
    const noKey = asksOf({ partnerKey: () => Promise.resolve(undefined) });
    expect(await run(session, partner, noKey)).toMatchObject({
      kind: 'refused',
      reason: 'noPartnerKey',
    });
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
  });

  it.each(['cloud', 'local', 'local-old'] as const)(
    'uploads a file again that the server lost, and posts again, once (%s)',
    async (dialect) => {
      const { sandbox, session } = await sandboxSession({ dialect });
      const asks = await asksWithPicture(session);
      expect((await run(session, loading, asks)).kind).toBe('submitted');
      sandbox.faults.set('loseUploads', {});
      const before = sandbox.seen.count('POST', '/prompt');
      expect((await run(session, loading, asks)).kind).toBe('submitted');
      expect(sandbox.seen.count('POST', '/upload/image')).toBe(2);
      expect(sandbox.seen.count('POST', '/prompt')).toBe(before + 2);
      expect(asks.asked.filter((each) => each.startsWith('upload '))).toHaveLength(2);
    },
  );

  it('does not post again when the refusal is unrelated to an uploaded file', async () => {
    const { sandbox, session } = await sandboxSession({ dialect: 'local' });
    const asks = await asksWithPicture(session);
    await run(session, loading, asks);
    const before = sandbox.seen.count('POST', '/prompt');
    const wrong = { ...loading, 2: { class_type: 'SaveImage', inputs: { images: ['1', 0] } } };
    expect((await run(session, wrong, asks, { force: true })).kind).toBe('refusedByServer');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(before + 1);
  });

  it('uploads a file again after a late refusal because of it', async () => {
    const { sandbox, session } = await sandboxSession();
    const asks = await asksWithPicture(session);
    await run(session, loading, asks);
    sandbox.faults.set('loseUploads', {});
    sandbox.faults.set('lateValidationError', { times: 1 });
    const late = await run(session, loading, asks);
    if (late.kind !== 'submitted') throw new Error(late.kind);
    expect(await session.tracker.finished(late.jobId)).toMatchObject({ state: 'failed' });
    expect((await run(session, loading, asks)).kind).toBe('submitted');
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(2);
    expect(sandbox.seen.count('POST', '/prompt'), 'uploaded before it was refused once more').toBe(4);
  });

  it('runs unchecked, and says so, when the server provides no definitions', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    for (const path of ['/object_info', '/object_info/EmptyImage'])
      sandbox.faults.set('answer', { method: 'GET', path, kind: 'notFound' });
    const { session } = sessionWith(sandbox);
    expect(await run(session, picture, asksOf())).toMatchObject({
      kind: 'submitted',
      run: { checked: false },
    });
  });

  it.each([
    ['those of its own node types', picture, [0, 1]],
    [
      'all if the server has one of them not',
      { ...picture, 3: { class_type: 'EmptyImag', inputs: {} } },
      [1, 1],
    ],
  ] as const)('asks for definitions: %s', async (_which, workflow, [all, one]) => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const { session } = sessionWith(sandbox);
    const outcome = await run(session, workflow, asksOf());
    expect(sandbox.seen.count('GET', '/object_info')).toBe(all);
    expect(sandbox.seen.count('GET', '/object_info/EmptyImage')).toBe(one);
    if (outcome.kind === 'refused') expect(outcome.message).toContain('Did you mean "EmptyImage"?');
    else expect(outcome).toMatchObject({ kind: 'submitted', run: { checked: true } });
  });

  it('asks for many definitions all at once, so that Node warns of nothing', async () => {
    const { sandbox, session } = await sandboxSession({ dialect: 'local' });
    const known = (await sessionWith(sandbox).session.catalog())?.classTypes.slice(0, 9);
    const before = sandbox.seen.count('GET', '/object_info');
    await session.definitionsOf(new Set(known), new AbortController().signal);
    expect(sandbox.seen.count('GET', '/object_info') - before).toBe(1);
  });

  it('is not sent unchecked to a server that can charge, unless told to', async () => {
    const sandbox = await sandboxForTest({ dialect: 'cloud' });
    sandbox.faults.set('answer', { method: 'GET', path: '/api/object_info', kind: 'notFound' });
    const { session, bodies } = sessionWith(sandbox);
    expect(await run(session, picture, asksOf())).toMatchObject({
      kind: 'refused',
      reason: 'costUnknown',
    });
    expect(bodies).toEqual([]);
    expect(await run(session, picture, asksOf(), { force: true })).toMatchObject({ kind: 'submitted' });
  });

  it('reads the definitions again before refusing', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    let now = Date.now();
    const { session } = sessionWith(sandbox);
    await session.catalog();
    now += 60_000;
    const later = new RunSession({
      server: session.server,
      transport: new Transport({
        baseUrl: sandbox.url,
        http: undiciStack(),
        clock: new ServerClock(() => now),
      }),
      store: new JobStore(),
    });
    onTestFinished(() => later.dispose());
    await later.catalog();
    now += 60_000;
    const before = sandbox.seen.count('GET', '/object_info');
    const outcome = await run(later, { ...picture, 3: { class_type: 'NotThere', inputs: {} } }, asksOf());
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'invalid' });
    expect(sandbox.seen.count('GET', '/object_info')).toBe(before + 1);
  });

  it.each(['cloud', 'local'] as const)(
    'cancels the job on the server when aborted while submitting (%s)',
    async (dialect) => {
      const { sandbox, session } = await sandboxSession({ dialect, timing: 'human' });
      const abort = new AbortController();
      const asks = asksOf({
        on: (event) => {
          if (event.kind === 'stage' && event.stage.kind === 'submitting') setImmediate(() => abort.abort());
        },
      });
      const slow = {
        ...picture,
        3: { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps: 10_000 } },
        2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
      };
      const sent = await run(session, slow, asks, {}, abort.signal);
      if (sent.kind !== 'submitted') throw new Error(sent.kind);
      expect(await asks.runs.finish(sent.owned, session, asks, abort.signal)).toMatchObject({
        phase: { kind: 'cancelled' },
      });
      const { running, pending } = await session.client.queue();
      expect([...running, ...pending]).toEqual([]);
      expect(sandbox.seen.count('POST', '/prompt')).toBeLessThanOrEqual(1);
    },
  );
});

it('RunSession.checkConnection reports what is wrong', async () => {
  const sandbox = await sandboxForTest({ apiKey: 'another-key' });
  const wrong = sessionWith(sandbox).session;
  expect(await wrong.checkConnection()).toMatchObject({ kind: 'failed', reason: 'wrongKey' });
  const transport = new Transport({ baseUrl: sandbox.url, http: undiciStack() });
  const none = new RunSession({ server: wrong.server, transport, store: new JobStore() });
  onTestFinished(() => none.dispose());
  expect(await none.checkConnection()).toMatchObject({ kind: 'failed', reason: 'noKey' });
  await sandbox.close();
  expect(await wrong.checkConnection()).toMatchObject({ kind: 'failed', reason: 'unreachable' });
});
