import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnswerKind } from '../../../src/sandbox/faults/cannedAnswers';
import { startSandbox } from '../../../src/sandbox/sandbox';
import { sandboxForTest } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';
import { picture, slow, worldWith } from './workflows';
import type { Nodes } from './workflows';

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

describe('comfy-deck run', () => {
  it.each(['cloud', 'documented', 'local', 'local-old'] as const)(
    'saves the outputs of a workflow, on a %s server',
    async (dialect) => {
      const { url } = await sandboxForTest({ dialect });
      const world = await worldWith(picture);
      expect(await world.save(url)).toBe(0);
      const [saved] = world.out.trim().split('\n');
      expect((await readFile(saved ?? '')).subarray(1, 4).toString()).toBe('PNG');
      const files = await filesIn(world.path('out'));
      expect(files).toHaveLength(2);
      expect(files.every((name) => /^w-\d{8}-\d{6}[-.]/.test(name))).toBe(true);
      expect(world.err).toMatch(/EmptyImage: done/);
      expect(world.err).toMatch(/Saved 1 output:/);
    },
  );

  it('lists the temporary outputs of preview nodes, and saves them on request', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const preview = {
      class_type: 'PreviewImage',
      inputs: { images: ['1', 0] },
      _meta: { title: 'Look here' },
    };
    const world = await worldWith({ ...picture, 5: preview });
    expect(await world.save(url)).toBe(0);
    expect(world.err).toMatch(/^1 temporary output was not saved\. To save it too, add --save-temporary:$/m);
    expect(world.err).toMatch(/^ {2}Look here: ComfyUI_temp_\w+\.png$/m);
    const [record] = (await filesIn(world.path('out'))).filter((name) => name.endsWith('.run.json'));
    const written = JSON.parse(await readFile(path.join(world.path('out'), record ?? ''), 'utf8')) as unknown;
    expect(written).toMatchObject({ state: 'saved', temporary: [{ node: '5', area: 'temp' }] });

    const asked = await worldWith({ ...picture, 5: preview });
    expect(await asked.save(url, '--save-temporary', '--json')).toBe(0);
    expect(asked.events.at(-1)).toMatchObject({ saved: 2 });
    expect(asked.events.some(({ event }) => event === 'temporary')).toBe(false);
    const told = await worldWith({ ...picture, 5: preview });
    expect(await told.save(url, '--json')).toBe(0);
    expect(told.events.find(({ event }) => event === 'temporary')).toMatchObject({ nodeId: '5' });
  });

  it('starts its own sandbox and leaves nothing running', async () => {
    const world = await worldWith(picture);
    expect(await world.save('sandbox')).toBe(0);
    expect(world.out).toMatch(/\.png\n$/);
  });

  it('reports everything as JSON, one event per line, and ends with the exit code', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const text = JSON.stringify({
      4: { class_type: 'PrimitiveString', inputs: { value: 'some words' } },
      5: { class_type: 'PreviewAny', inputs: { source: ['4', 0] } },
      ...picture,
    });
    const world = await worldWith(text);
    expect(await world.save(url, '--json')).toBe(0);
    const kinds = world.events.map(({ event }) => event);
    expect(kinds[0]).toBe('start');
    expect(kinds.at(-1)).toBe('end');
    const order = ['start', 'stage', 'submitted', 'job', 'node', 'text', 'saved', 'end'];
    const firsts = order.map((kind) => kinds.indexOf(kind as (typeof kinds)[number]));
    expect(firsts.every((index) => index >= 0)).toBe(true);
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    expect(world.events).toContainEqual({ event: 'text', nodeId: '5', text: 'some words' });
    expect(world.events.at(-1)).toEqual({ event: 'end', outcome: 'done', saved: 1, exitCode: 0 });
  });

  it('says how many jobs are ahead of it on the server', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('hang');
    for (let others = 0; others < 2; others++) {
      const body = JSON.stringify({ prompt: picture });
      await fetch(`${sandbox.url}/prompt`, { method: 'POST', body });
    }
    const world = await worldWith(picture);
    const ended = world.save(sandbox.url, '--json');
    await world.said('"event":"queue","length":3');
    sandbox.faults.clear('hang');
    expect(await ended).toBe(0);
    expect(world.err).toMatch(/^The server has [23] jobs running or queued$/m);
    expect(world.events).toContainEqual({ event: 'queue', length: 3 });
  });

  it('shows messages of nodes and the server while it runs', async () => {
    const { url } = await sandboxForTest({ dialect: 'cloud' });
    const talking = (steps: number): Nodes => ({
      ...slow,
      3: { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps } },
    });
    const plain = await worldWith(talking(6));
    expect(await plain.save(url)).toBe(0);
    expect(plain.err).toMatch(/^Server: Queued for execution$/m);
    expect(plain.err).toMatch(/^SandboxSlow: step 6 of 6$/m);
    const json = await worldWith(talking(11));
    expect(await json.save(url, '--json')).toBe(0);
    expect(json.events).toContainEqual({ event: 'words', text: 'Queued for execution' });
    const said = { event: 'words', nodeId: '3', name: 'SandboxSlow', text: 'step 11 of 11' };
    expect(json.events).toContainEqual(said);
  });

  it('randomizes seeds on request, and lists them', async () => {
    const { url } = await sandboxForTest();
    const text = await readFile(path.resolve('samples/text-to-image.json'), 'utf8');
    const world = await worldWith(text);
    const before = /"seed": (\d+)/.exec(text)?.[1];
    expect(await world.save(url, '--json', '--seed', 'random')).toBe(0);
    const { seeds } = world.events.find(({ event }) => event === 'submitted') as {
      seeds: Record<string, string>;
    };
    expect(Object.keys(seeds)).toHaveLength(1);
    const [drawn] = Object.values(seeds);
    expect(drawn).not.toBe(before);
    const [record] = (await readdir(world.path('out'))).filter((name) => name.endsWith('.run.json'));
    expect(await readFile(path.join(world.path('out'), record ?? ''), 'utf8')).toContain(
      `"seed": ${drawn ?? ''}`,
    );
  });

  it('draws a bar per node on a terminal', async () => {
    const { url } = await sandboxForTest();
    const world = await worldWith(picture, {}, 100);
    expect(await world.save(url)).toBe(0);
    expect(world.err).toMatch(/EmptyImage +█{24} done/);
    expect(world.err).toMatch(/SaveImage +█{24} done/);
  });

  it('never overwrites: two runs, two pictures', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(picture);
    const args = ['run', world.path('w.json'), '--server', url, '--out', world.path('out')];
    await world.run(...args);
    await world.run(...args);
    expect((await filesIn(world.path('out'))).filter((name) => name.endsWith('.png'))).toHaveLength(2);
  });

  it('keeps a climbing name inside the folder', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('climbingNames');
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url)).toBe(0);
    expect(await filesIn(world.folder)).toEqual(['out', 'w.json']);
    expect(await filesIn(world.path('out'))).toHaveLength(2);
  });

  it('resumes a download that breaks off again and again', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('brokenDownload', { afterBytes: 40, times: 2 });
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url)).toBe(0);
    const [saved] = world.out.trim().split('\n');
    expect((await readFile(saved ?? '')).subarray(-8, -4).toString()).toBe('IEND');
  });
});

describe('comfy-deck run uploads', () => {
  const loading: Nodes = {
    1: { class_type: 'LoadImage', inputs: { image: 'mine.png' } },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
  };

  async function worldWithPicture(): Promise<CliWorld> {
    const world = await worldWith(loading);
    const other = await worldWith(picture);
    await other.run('run', other.path('w.json'), '--server', 'sandbox', '--out', other.path('out'));
    await writeFile(world.path('mine.png'), await readFile(other.out.trim()));
    return world;
  }

  it('the files beside the workflow, to a server on this machine', async () => {
    const sandbox = await sandboxForTest();
    const world = await worldWithPicture();
    expect(await world.save(sandbox.url)).toBe(0);
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(1);
    expect(world.err).toContain('Uploading mine.png');
  });

  it('nothing when told not to', async () => {
    const sandbox = await sandboxForTest();
    const world = await worldWithPicture();
    const args = ['run', world.path('w.json'), '--server', sandbox.url, '--upload', 'no'];
    expect(await world.run(...args)).toBe(2);
    expect(world.err).toContain('--upload yes');
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(0);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
  });

  it('each by name before it leaves', async () => {
    const { url } = await sandboxForTest();
    const world = await worldWithPicture();
    expect(await world.save(url, '--json')).toBe(0);
    const kinds = world.events.map((event) => (event.event === 'stage' ? event.stage : event.event));
    expect(kinds.indexOf('uploads')).toBeLessThan(kinds.indexOf('uploading'));
    const { size } = await stat(world.path('mine.png'));
    expect(world.events.find(({ event }) => event === 'uploads')).toEqual({
      event: 'uploads',
      server: url,
      allowed: true,
      files: [{ path: 'mine.png', bytes: size, kinds: ['image'], marks: [] }],
    });
    expect(world.err).toContain(`Files to upload to ${url}:\n  mine.png (${size} bytes)\n`);
  });

  it('no file that is not a picture, whatever is allowed', async () => {
    const sandbox = await sandboxForTest();
    const world = await worldWith({
      ...loading,
      1: { class_type: 'LoadImage', inputs: { image: '.env' } },
    });
    await writeFile(world.path('.env'), 'KEY=1');
    expect(await world.save(sandbox.url, '--upload', 'yes')).toBe(1);
    expect(world.err).toContain('Node 1 takes an image, and .env is not one, so it was not uploaded.');
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(0);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
  });

  it.each([
    ['a hidden file', '.mine.png', 'hidden file'],
    ['a file in a hidden folder', '.cache/mine.png', 'hidden file'],
    ['a file that Git ignores', 'ignored/mine.png', 'ignored by Git'],
  ])('%s only with --upload yes, also to this machine', async (_, name, why) => {
    const sandbox = await sandboxForTest();
    const plain = await worldWithPicture();
    const world = await worldWith({ ...loading, 1: { class_type: 'LoadImage', inputs: { image: name } } });
    await mkdir(path.dirname(world.path(name)), { recursive: true });
    await writeFile(world.path(name), await readFile(plain.path('mine.png')));
    await writeFile(world.path('.gitignore'), 'ignored/\n');
    execFileSync('git', ['init', '--quiet', world.folder]);
    expect(await world.save(sandbox.url)).toBe(2);
    expect(world.err).toContain(why);
    expect(world.err).toContain('--upload yes');
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(0);
    expect(await world.save(sandbox.url, '--upload', 'yes')).toBe(0);
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(1);
  });

  it('no file outside the folder, by path or by link', async () => {
    const sandbox = await sandboxForTest();
    const world = await CliWorld.open();
    await mkdir(world.path('in'));
    await writeFile(world.path('secret.png'), 'secret');
    await symlink(world.path('secret.png'), path.join(world.path('in'), 'mine.png'));
    const file = path.join(world.path('in'), 'w.json');
    for (const image of ['../secret.png', world.path('secret.png')]) {
      await writeFile(
        file,
        JSON.stringify({ ...loading, 1: { class_type: 'LoadImage', inputs: { image } } }),
      );
      expect(await world.run('run', file, '--server', sandbox.url, '--out', world.path('out'))).toBe(1);
      expect(world.err).toContain('outside the workspace');
    }
    await writeFile(file, JSON.stringify(loading));
    await world.run('run', file, '--server', sandbox.url, '--out', world.path('out'));
    expect(sandbox.seen.count('POST', '/upload/image')).toBe(0);
  });
});

describe('comfy-deck run and money', () => {
  it('asks for permission before partner nodes run', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const sample = await readFile('samples/partner-image.json', 'utf8');
    const world = await worldWith(sample, { KEY: 'test-key' });
    const args = ['run', world.path('w.json'), '--server', sandbox.url, '--out', world.path('out')];
    expect(await world.run(...args)).toBe(2);
    expect(world.err).toContain('--spend yes');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
    expect(await world.run(...args, '--spend', 'yes')).toBe(1);
    expect(world.err).toContain('no account key');
    expect(await world.run(...args, '--spend', 'yes', '--key-env', 'KEY')).toBe(0);
    expect(world.err + world.out).not.toContain('test-key');
  });
});

describe('a failed comfy-deck run reports one sentence and a next step', () => {
  async function failing(world: CliWorld, url: string, ...more: string[]): Promise<string> {
    const code = await world.save(url, '--json', ...more);
    expect(code).toBe(1);
    const errors = world.events.filter(({ event }) => event === 'error');
    expect(errors).toHaveLength(1);
    const [error] = errors;
    if (error?.event !== 'error') throw new Error('nothing was said');
    expect(error.message).toMatch(/[.!?]$/);
    expect(error.nextAction).toMatch(/^[A-Z].*\.$/);
    expect(world.events.at(-1)).toMatchObject({ event: 'end', outcome: 'failed', exitCode: 1 });
    return error.message;
  }

  it.each([
    ['ValidationError', 'rejected the workflow. The server said: The width'],
    ['ModelDownloadError', 'could not be downloaded. The server said: could not fetch flux1-dev.safetensors'],
    ['ImageDownloadError', 'An input image could not be downloaded. The server said: image not found'],
    ['OOMError', 'ran out of memory. The server said: the machine has 24 GB'],
    ['InsufficientFundsError', 'no credits left for this node. The server said: this node costs 12'],
    ['InactiveSubscriptionError', 'no active subscription. The server said: the subscription ended'],
  ])("for the %s of a run, with the server's own words", async (how, words) => {
    const { url } = await sandboxForTest({ dialect: 'cloud' });
    const failingNode = { class_type: 'SandboxFail', inputs: { value: ['1', 0], how } };
    const images = { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'shot' } };
    const world = await worldWith({ ...picture, 3: failingNode, 2: images });
    const message = await failing(world, url);
    expect(message).toContain(words);
    expect(message).toMatch(new RegExp(`\\(${how} at SandboxFail, node 3\\)\\.$`));
    expect(world.events.find(({ event }) => event === 'error')).toMatchObject({ type: how, nodeId: '3' });
    expect(world.err).toContain(message);
  });

  it.each([
    ['no JSON', '{ oops', /valid JSON/],
    ['an empty file', '', /empty/],
    ['a list', '[]', /a list/],
    ['a broken node', '{"1":{"class_type":"A","inputs":{}},"2":7}', /only 1 of its 2 entries is a node/],
  ])('%s', async (_, text, words) => {
    const sandbox = await sandboxForTest();
    expect(await failing(await worldWith(text), sandbox.url)).toMatch(words);
    expect(sandbox.seen.requests).toEqual([]);
  });

  it('a file of 200 MB, a folder, no file', async () => {
    const world = await worldWith('');
    await truncate(world.path('w.json'), 200 * 1024 * 1024);
    expect(await failing(world, 'http://127.0.0.1:9')).toContain('200 MB');
    const other = await CliWorld.open();
    expect(await failing(other, 'http://127.0.0.1:9')).toContain('does not exist');
    await mkdir(other.path('w.json'));
    other.out = '';
    expect(await failing(other, 'http://127.0.0.1:9')).toContain('is a folder');
  });

  it('a server that does not answer', async () => {
    const gone = await startSandbox();
    await gone.close();
    const world = await worldWith(picture);
    expect(await failing(world, gone.url)).toContain('Nothing is listening');
    expect(world.err).toContain(
      'Check that the server is running and its address is correct. To try it without a server, use --server sandbox.',
    );
  });

  it('a wrong key, and no key', async () => {
    const { url } = await sandboxForTest({ apiKey: 'right-key' });
    const world = await worldWith(picture, { KEY: 'wrong-key' });
    await failing(world, url, '--key-env', 'KEY');
    expect(world.out + world.err).not.toContain('wrong-key');
    await failing(await worldWith(picture), url);
  });

  it.each<[AnswerKind, RegExp]>([
    ['noCredits', /credits/i],
    ['subscriptionRequired', /subscription/i],
    ['queueLimit', /queue/i],
    ['rateLimited', /many requests|slow|limit/i],
    ['tooLarge', /large/i],
    ['partnerDisabled', /partner|disabled/i],
    ['badRequest', /./],
  ])('%s', async (kind, words) => {
    const sandbox = await sandboxForTest();
    sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind });
    expect(await failing(await worldWith(picture), sandbox.url)).toMatch(words);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
  });

  it('findings of the check, with line and column', async () => {
    const sandbox = await sandboxForTest();
    const world = await worldWith({ ...picture, 1: { class_type: 'EmptyImage', inputs: { width: 0 } } });
    expect(await failing(world, sandbox.url)).toMatch(/would reject/);
    // People see each problem only once.
    expect(world.err.match(/EmptyImage \(node 1\)/g)).toHaveLength(
      world.events.filter(({ event }) => event === 'problem').length,
    );
    expect(world.events).toContainEqual(
      expect.objectContaining({ event: 'problem', severity: 'error', nodeId: '1', line: 1 }),
    );
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
  });

  it('a refusal by the server when forced', async () => {
    const { url } = await sandboxForTest();
    const world = await worldWith({
      ...picture,
      1: { class_type: 'EmptyImage', inputs: { width: 0, height: 1, batch_size: 1, color: 0 } },
    });
    expect(await failing(world, url, '--force')).toMatch(/rejected the workflow/);
    expect(world.events).toContainEqual(
      expect.objectContaining({ event: 'problem', severity: 'error', nodeId: '1', input: 'width' }),
    );
  });

  it('a late validation, at its place', async () => {
    const sandbox = await sandboxForTest();
    sandbox.faults.set('lateValidationError');
    const world = await worldWith(picture);
    await failing(world, sandbox.url);
    expect(world.events.filter((each) => each.event === 'problem' && each.severity === 'error')).not.toEqual(
      [],
    );
  });

  it('a job that fails at a node', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith({
      ...picture,
      3: { class_type: 'SandboxFail', inputs: { value: ['1', 0], how: 'value' } },
      2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
    });
    await failing(world, url);
    const problem = world.events.find(({ event }) => event === 'problem');
    expect(problem).toMatchObject({ nodeId: '3', message: 'SandboxFail (node 3): This node always fails' });
  });

  it.each([
    ['in plain lines', undefined],
    ['at a terminal', 100],
  ])('a job that fails at a node, once %s', async (_, columns) => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const failing = {
      ...picture,
      3: { class_type: 'SandboxFail', inputs: { value: ['1', 0], how: 'value' } },
      2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
    };
    const world = await worldWith(failing, {}, columns);
    expect(await world.save(url)).toBe(1);
    expect(world.err.match(/This node always fails/g)).toHaveLength(1);
    expect(world.err).toMatch(
      /Error at line 1, column \d+: SandboxFail \(node 3\): This node always fails\n/,
    );
    expect(world.err).toMatch(/\nCheck the inputs of node 3, then run again\.\n/);
  });

  it('outputs that cannot be written', async () => {
    const sandbox = await sandboxForTest();
    const { url } = sandbox;
    const world = await worldWith(picture);
    await writeFile(world.path('out'), 'a file where the folder should be');
    expect(await failing(world, url)).toMatch(/output folder/);
    expect(sandbox.seen.count('POST', '/prompt'), 'nothing is sent').toBe(0);
  });

  it('an environment variable that is not set is wrong usage', async () => {
    const world = await worldWith(picture);
    expect(
      await world.run('run', world.path('w.json'), '--server', 'sandbox', '--key-env', 'NO_SUCH_KEY'),
    ).toBe(2);
    expect(world.err).toContain('NO_SUCH_KEY');
  });

  it('warns about a branch that the server leaves out, and saves the rest', async () => {
    const sandbox = await sandboxForTest();
    const world = await worldWith({
      ...picture,
      3: { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } },
    });
    expect(await world.save(sandbox.url, '--json')).toBe(0);
    expect(world.events).toContainEqual(
      expect.objectContaining({ event: 'problem', severity: 'warning', nodeId: '3' }),
    );
    expect(world.events.find(({ event }) => event === 'submitted')).toMatchObject({
      leftOut: [{ nodeId: '3', name: 'SaveImage' }],
    });
    expect(world.err).toContain('SaveImage (node 3) was left out: the server ran the rest.\n');
  });

  it('fails with --strict when the server leaves a branch out, and saves the rest', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith({
      ...picture,
      3: { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } },
    });
    expect(await world.save(sandbox.url, '--json', '--strict')).toBe(1);
    expect(world.events.at(-1)).toEqual({ event: 'end', outcome: 'failed', saved: 1, exitCode: 1 });
    const whole = await worldWith(picture);
    expect(await whole.save(sandbox.url, '--strict')).toBe(0);
  });
});

describe('comfy-deck run and a lost answer', () => {
  it.each(['cloud', 'local', 'local-old'] as const)(
    'finds the job instead of sending again (%s)',
    async (dialect) => {
      const sandbox = await sandboxForTest({ dialect });
      sandbox.faults.set('loseAnswer', { times: 1 });
      const world = await worldWith(picture);
      expect(await world.save(sandbox.url, '--json')).toBe(0);
      expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
      expect(world.events).toContainEqual({ event: 'stage', stage: 'lookingForJob' });
      expect(world.events.at(-1)).toMatchObject({ outcome: 'done', saved: 1 });
    },
  );

  it('does not claim that an unseen job was not started, and does not send again', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'badGateway' });
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url, '--look-out', '2')).toBe(1);
    expect(world.err).toContain('Not found yet; checking again in 2 s');
    expect(world.err).toContain('has not appeared on the server; it may still start there.');
    expect(world.err).toContain("Check the server's queue and history before you run it again");
    expect(world.err).not.toContain('not started');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
  });

  it('says that the outcome is unknown when Ctrl-C ends the search', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'badGateway' });
    const world = await worldWith(picture);
    const running = world.save(sandbox.url);
    await world.said('checking again');
    world.pressCtrlC();
    expect(await running).toBe(130);
    expect(world.err).toContain('The run may or may not have started.');
  });

  it.each(['queueLimit', 'rateLimited'] as const)(
    'waits as long as the server asks, then sends the workflow (%s)',
    async (kind) => {
      const sandbox = await sandboxForTest();
      sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind, retryAfter: 1, times: 2 });
      const world = await worldWith(picture);
      expect(await world.save(sandbox.url, '--json')).toBe(0);
      expect(world.err).toContain('retrying in 1 s');
      expect(world.events).toContainEqual({ event: 'stage', stage: 'waiting', seconds: 1 });
      expect(sandbox.seen.count('POST', '/prompt')).toBe(3);
    },
  );

  it('stops waiting when the server asks too often, and on Ctrl-C', async () => {
    const sandbox = await sandboxForTest();
    const limit = { method: 'POST', path: '/prompt', kind: 'rateLimited' } as const;
    sandbox.faults.set('answer', { ...limit, retryAfter: 0 });
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url)).toBe(1);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(6);
    sandbox.faults.set('answer', { ...limit, retryAfter: 3600 });
    expect(await world.save(sandbox.url)).toBe(1);
    sandbox.faults.set('answer', { ...limit, retryAfter: 60 });
    const patient = await worldWith(picture);
    const running = patient.save(sandbox.url);
    await patient.said('in 60 s');
    patient.pressCtrlC();
    expect(await running).toBe(130);
  });

  it.each(['noCredits', 'paymentRequired', 'cloudSubscriptionRequired'] as const)(
    'does not wait if waiting does not help (%s)',
    async (kind) => {
      const sandbox = await sandboxForTest();
      sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind, retryAfter: 1 });
      expect(await (await worldWith(picture)).save(sandbox.url)).toBe(1);
      expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
    },
  );
});

describe('comfy-deck run and Ctrl-C', () => {
  it.each(['cloud', 'documented', 'local', 'local-old'] as const)(
    'cancels the job on the server and confirms (%s)',
    async (dialect) => {
      const sandbox = await sandboxForTest({ dialect, timing: 'human' });
      const world = await worldWith(slow);
      const running = world.save(sandbox.url);
      await world.said('SandboxSlow: running');
      world.pressCtrlC();
      expect(await running).toBe(130);
      expect(world.err).toContain('The job was cancelled on the server.');
      const queue = (await (await fetch(`${sandbox.url}/api/queue`)).json()) as Record<string, unknown[]>;
      expect(queue).toMatchObject({ queue_running: [], queue_pending: [] });
      const [record, ...others] = await filesIn(world.path('out'));
      expect(others).toEqual([]);
      const text = await readFile(path.join(world.path('out'), record ?? ''), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ state: 'cancelled', files: [] });
    },
  );

  it('exits at once when pressed again', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const world = await worldWith(slow);
    const running = world.save(sandbox.url);
    await world.said('SandboxSlow: running');
    world.pressCtrlC();
    world.pressCtrlC();
    expect(world.exits).toEqual([130]);
    expect(world.err).toMatch(/may still be running on the server.*\n {2}comfy-deck fetch \S+ --out /);
    expect(await running).toBe(130);
  });

  it('is not needed when someone else cancels', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const world = await worldWith(slow);
    const running = world.save(sandbox.url);
    await world.said('SandboxSlow: running');
    await fetch(`${sandbox.url}/api/interrupt`, { method: 'POST' });
    expect(await running).toBe(130);
    expect(world.err).toContain('The job was cancelled.');
  });
});

describe('comfy-deck sandbox', () => {
  it('runs until it is interrupted', async () => {
    const world = await CliWorld.open();
    const running = world.run('sandbox', '--port', '0', '--dialect', 'local');
    await world.said('Press Ctrl-C');
    const url = world.out.trim();
    expect((await fetch(`${url}/system_stats`)).status).toBe(200);
    world.pressCtrlC();
    expect(await running).toBe(0);
    await expect(fetch(`${url}/system_stats`)).rejects.toThrow();
  });

  it('passes the token for its faults to the process that started it', async () => {
    const world = await CliWorld.open();
    const running = world.run('sandbox', '--port', '0');
    await world.said('Press Ctrl-C');
    const token = /X-Sandbox-Token: (\S+)/.exec(world.err)?.[1] ?? '';
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${world.out.trim()}/sandbox/faults`, { headers });
    expect((await ask({})).status).toBe(403);
    expect((await ask({ 'X-Sandbox-Token': token })).status).toBe(200);
    world.pressCtrlC();
    expect(await running).toBe(0);
  });

  it('says that its port is taken', async () => {
    const { url } = await sandboxForTest();
    const world = await CliWorld.open();
    expect(await world.run('sandbox', '--port', new URL(url).port)).toBe(1);
    expect(world.err).toContain('--port');
  });
});

describe('comfy-deck', () => {
  it('prints help and version, and refuses unknown arguments', async () => {
    const world = await CliWorld.open();
    expect(await world.run('--help')).toBe(0);
    expect(world.out).toContain('comfy-deck run FILE');
    world.out = '';
    expect(await world.run('--version')).toBe(0);
    expect(world.out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await world.run('fly')).toBe(2);
    expect(world.err).toContain('--help');
  });
});
