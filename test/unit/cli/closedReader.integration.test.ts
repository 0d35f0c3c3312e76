import { readdir } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { buildCli } from '../../support/cliProcess';
import { sandboxForTest } from '../../support/sandboxFixture';
import { picture, worldWith } from './workflows';

it('a run by a reader that exits early continues and saves its outputs', async () => {
  const cli = await buildCli();
  onTestFinished(() => cli.remove());
  const sandbox = await sandboxForTest({ dialect: 'local' });
  const world = await worldWith(picture);
  const run = ['run', world.path('w.json'), '--server', sandbox.url, '--out', world.path('out')];
  const { child, ended } = cli.start(run);
  child.stdout?.destroy();
  child.stderr?.once('data', () => child.stderr?.destroy());
  expect(await ended).toBe(0);
  expect((await readdir(world.path('out'))).filter((name) => name.endsWith('.png'))).toHaveLength(1);
}, 60_000);
