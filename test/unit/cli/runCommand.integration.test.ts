import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CliWorld } from './cliWorld';
import { sandboxForTest } from '../../support/sandboxFixture';
import { worldBeside, type Nodes, picture, slow, through, worldWith } from './workflows';

const dialects = ['cloud', 'documented', 'local', 'local-old'] as const;

describe('comfy-deck run', () => {
  it.each(dialects)('saves the outputs of a workflow, on a %s server', async (dialect) => {
    const { url, world } = await worldBeside(dialect, picture);
    expect(await world.save(url)).toBe(0);
    const [saved] = world.out.trim().split('\n');
    expect((await readFile(saved ?? '')).subarray(1, 4).toString()).toBe('PNG');
    const files = await world.names();
    expect(files).toHaveLength(2);
    expect(files.every((name) => /^w-\d{8}-\d{6}[-.]/.test(name))).toBe(true);
    expect(world.err).toMatch(/EmptyImage: completed/);
    expect(world.err).toMatch(/Saved 1 output:/);
  });

  it('lists the temporary outputs of preview nodes, and saves them on request', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const previewed = { ...picture, 5: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } } };
    const world = await worldWith(previewed);
    expect(await world.save(url)).toBe(0);
    expect(world.err).toMatch(/^1 temporary output wasn't saved\. To save it too, add --save-temporary:$/m);
    expect(world.err).toMatch(/^ {2}PreviewImage: ComfyUI_temp_\w+\.png$/m);
    expect(await world.record()).toMatchObject({ state: 'saved', temporary: [{ node: '5', area: 'temp' }] });

    const asked = await worldWith(previewed);
    expect(await asked.save(url, '--save-temporary', '--json')).toBe(0);
    expect(asked.events.at(-1)).toMatchObject({ saved: 2 });
    expect(asked.events.some(({ event }) => event === 'temporary')).toBe(false);
  });

  it('sends nothing with --next to a server that runs jobs in their order', async () => {
    const { sandbox, world } = await worldBeside('cloud', picture);
    expect(await world.save(sandbox.url, '--next')).toBe(1);
    expect(world.err).toContain('This server runs jobs in the order in which they were submitted.');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
  });

  it('shows messages of nodes and the server while it runs', async () => {
    const { url } = await sandboxForTest({ dialect: 'cloud' });
    const talking = (steps: number): Nodes => through('SandboxSlow', { steps });
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
});

describe('comfy-deck run and money', () => {
  it('asks for permission before partner nodes run', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const sample = await readFile('samples/partner-image.json', 'utf8');
    const world = await worldWith(sample, { KEY: 'test-key' });
    expect(await world.save(sandbox.url)).toBe(2);
    expect(world.err).toContain('--spend yes');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(0);
    expect(await world.save(sandbox.url, '--spend', 'yes')).toBe(1);
    expect(world.err).toContain('no account key');
    expect(await world.save(sandbox.url, '--spend', 'yes', '--key-env', 'KEY')).toBe(0);
    expect(world.err + world.out).not.toContain('test-key');
  });

  it('tells what the run cost, and keeps it in the record', async () => {
    const { sandbox, world } = await worldBeside(
      'local',
      await readFile('samples/partner-image.json', 'utf8'),
      { KEY: 'test-key' },
    );
    const paid = ['--spend', 'yes', '--key-env', 'KEY'];
    expect(await world.save(sandbox.url, '--json', ...paid)).toBe(0);
    const [told, ...others] = world.events.filter(({ event }) => event === 'price');
    expect(told).toMatchObject({ credits: 6 });
    expect(others).toEqual([]);
    const record = await world.record();
    expect(record).toMatchObject({ price: { credits: 6 } });
    expect(await world.save(sandbox.url, ...paid, '--seed', 'random')).toBe(0);
    expect(world.err).toMatch(/^Cost: 6 credits$/m);
  });
});

it('keeps what a run has cost so far if its job may go on without it', async () => {
  const sandbox = await sandboxForTest({ dialect: 'local-old', timing: 'human' });
  sandbox.faults.set('answer', { method: 'POST', path: '/interrupt', kind: 'internal' });
  const paid = JSON.parse(await readFile('samples/partner-image.json', 'utf8')) as object;
  // Long enough for the key press to come while it runs.
  const slow = {
    ...paid,
    2: { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps: 40 } },
    3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'lantern' } },
  };
  const world = await worldWith(JSON.stringify(slow), { KEY: 'test-key' });
  const ended = world.save(sandbox.url, '--json', '--spend', 'yes', '--key-env', 'KEY');
  await world.said('Price: 6 credits');
  world.pressCtrlC();
  await ended;
  expect(world.events.map(({ event }) => event)).toContain('owed');
  const record = await world.record();
  expect(record).toMatchObject({ state: 'submitted', price: { credits: 6 } });
});

it('comfy-deck run and loops shows iterations at the node that starts them, and no ID of what the server executes', async () => {
  const { sandbox, world } = await worldBeside('local', await readFile('samples/loop.json', 'utf8'));
  expect(await world.save(sandbox.url, '--json')).toBe(0);
  const words = world.events.filter(({ event }) => event === 'words');
  const said = { nodeId: '5', name: 'Start Loop', text: 'Iteration 2 of 3' };
  expect(words).toContainEqual({ event: 'words', ...said });
  expect(JSON.stringify(world.events)).not.toMatch(/iteration_|5\.0\.0/);
  expect(world.events.filter(({ event }) => event === 'saved')).toHaveLength(3);
  const record = await world.record();
  expect(record.files[0]).toMatchObject({ node: '10', facts: { width: 256, height: 256 } });
  expect(record.files[0]).toHaveProperty('asset.id');
  expect(Object.keys(record.nodes ?? {}).every((id) => /^\d+$/.test(id))).toBe(true);
});

describe('comfy-deck run and Ctrl-C', () => {
  async function pressWhileRunning(world: CliWorld, url: string): Promise<number> {
    const running = world.save(url);
    await world.said('SandboxSlow: running');
    world.pressCtrlC();
    return running;
  }

  it.each(dialects)('cancels the job on the server and confirms (%s)', async (dialect) => {
    const { sandbox, world } = await worldBeside({ dialect, timing: 'human' }, slow);
    expect(await pressWhileRunning(world, sandbox.url)).toBe(130);
    expect(world.err).toContain('The job was cancelled on the server.');
    const queue = (await (await fetch(`${sandbox.url}/api/queue`)).json()) as Record<string, unknown[]>;
    expect(queue).toMatchObject({ queue_running: [], queue_pending: [] });
    expect(await world.names()).toHaveLength(1);
    expect(await world.record()).toMatchObject({ state: 'cancelled', files: [] });
  });

  it('saves what the job made before', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const first = { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'first' } };
    const world = await worldWith({ ...slow, 0: first });
    expect(await pressWhileRunning(world, sandbox.url)).toBe(130);
    expect(world.err).not.toContain('comfy-deck fetch');
    const names = await world.names();
    expect(names.map((name) => path.extname(name))).toEqual(['.png', '.json']);
    expect(await world.record()).toMatchObject({ state: 'cancelled', files: [{ node: '0' }] });
    expect(world.out.trim()).toBe(path.join(world.path('out'), names[0] ?? ''));
  });

  it('exits at once when pressed again', async () => {
    const { sandbox, world } = await worldBeside('human', slow);
    const running = world.save(sandbox.url);
    await world.said('SandboxSlow: running');
    world.pressCtrlC();
    world.pressCtrlC();
    expect(world.exits).toEqual([130]);
    expect(world.err).toMatch(/may still be running on the server.*\n {2}comfy-deck fetch \S+ --out /);
    expect(await running).toBe(130);
  });
});
