import { mkdir, truncate } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/sandbox';
import { sandboxForTest } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';
import { picture, through, worldBeside, worldWith } from './workflows';

/** The server leaves a branch out. */
const partly = { ...picture, 3: { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } } };

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

  it('with the traceback, for people who ask for it', async () => {
    const { url, world } = await worldBeside('local', through('SandboxFail', { how: 'OOMError' }));
    await failing(world, url);
    const traceback = ['  File "sandbox/nodes", in SandboxFail\n'];
    expect(world.events.find(({ event }) => event === 'error')).toMatchObject({
      nodeType: 'SandboxFail',
      traceback,
    });
    expect(world.err).not.toContain('in SandboxFail');
    expect((await world.record()).error).toMatchObject({ nodeType: 'SandboxFail', traceback });
    expect(await world.save(url, '--traceback')).toBe(1);
    expect(world.err).toMatch(/\nServer traceback:\n +File "sandbox\/nodes", in SandboxFail\n/);
  });

  it('a broken node', async () => {
    const { sandbox, world } = await worldBeside('cloud', '{"1":{"class_type":"A","inputs":{}},"2":7}');
    expect(await failing(world, sandbox.url)).toMatch(/Entries that are nodes: 1 of 2/);
    expect(sandbox.seen.requests).toEqual([]);
  });

  it('a file of 200 MB, a folder, no file', async () => {
    const world = await worldWith('');
    await truncate(world.path('w.json'), 200 * 1024 * 1024);
    expect(await failing(world, 'http://127.0.0.1:9')).toContain('larger than 64 MB');
    const other = await CliWorld.open();
    expect(await failing(other, 'http://127.0.0.1:9')).toContain("doesn't exist");
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

  it('findings of the check, with line and column', async () => {
    const { sandbox, world } = await worldBeside('cloud', {
      ...picture,
      1: { class_type: 'EmptyImage', inputs: { width: 0 } },
    });
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
    const problem = expect.objectContaining({ event: 'problem', severity: 'error' }) as object;
    expect(world.events).toContainEqual(problem);
  });

  it.each([
    ['in plain lines', undefined],
    ['at a terminal', 100],
  ])('a job that fails at a node, once %s', async (_, columns) => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const failing = through('SandboxFail', { how: 'value' });
    const world = await worldWith(failing, {}, columns);
    expect(await world.save(url)).toBe(1);
    expect(world.err.match(/This node always fails/g)).toHaveLength(1);
    expect(world.err).toMatch(
      /Error at line 1, column \d+: SandboxFail \(node 3\): This node always fails\n/,
    );
    expect(world.err).toMatch(/\nCheck the inputs of node 3, then run again\.\n/);
  });

  it('warns about a branch that the server leaves out, and saves the rest', async () => {
    const { sandbox, world } = await worldBeside('cloud', partly);
    expect(await world.save(sandbox.url, '--json')).toBe(0);
    expect(world.events).toContainEqual(
      expect.objectContaining({ event: 'problem', severity: 'warning', nodeId: '3' }),
    );
    expect(world.events.find(({ event }) => event === 'submitted')).toMatchObject({
      leftOut: [{ nodeId: '3', name: 'SaveImage' }],
    });
    expect(world.err).toContain('The server skipped SaveImage (node 3) and ran the rest.\n');
  });

  it('fails with --strict when the server leaves a branch out, and saves the rest', async () => {
    const { sandbox, world } = await worldBeside('local', partly);
    expect(await world.save(sandbox.url, '--json', '--strict')).toBe(1);
    expect(world.events.at(-1)).toEqual({ event: 'end', outcome: 'failed', saved: 1, exitCode: 1 });
    const whole = await worldWith(picture);
    expect(await whole.save(sandbox.url, '--strict')).toBe(0);
  });
});
