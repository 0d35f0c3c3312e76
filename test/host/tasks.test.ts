import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { smallPrompt } from '../support/promptFile';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import { answersInTests, writeFile, type WindowParts } from './window';

const tasks = [
  { label: 'run it', command: 'run', file: 'task-run.json' },
  { label: 'validate a good one', command: 'validate', file: 'task-good.json' },
  { label: 'validate both', command: 'validate', file: 'task-{good,wrong}.json' },
  { label: 'run nothing', command: 'run', file: 'missing-*.json' },
  { label: 'run a batch', command: 'batch', file: 'task-rows.batch.json' },
].map((each) => ({ type: 'comfyDeck', problemMatcher: '$comfyDeck', ...each }));

describe('tasks for workflow files', () => {
  let parts: WindowParts;
  const answers = answersInTests();

  before(async () => {
    parts = await quietSandbox();
    await writeFile('.vscode/tasks.json', { version: '2.0.0', tasks });
  });
  after(() => noLongerQuiet());

  /** A task of the workspace by its name. */
  async function named(name: string): Promise<vscode.Task> {
    const end = Date.now() + 30_000;
    for (;;) {
      const found = (await vscode.tasks.fetchTasks()).find((task) => task.name === name);
      if (found) return found;
      if (Date.now() > end) throw new Error(`There is no task ${name}.`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Runs a task of tasks.json to its end; gives its exit code. */
  async function exitCodeOf(name: string): Promise<number | undefined> {
    const task = await named(name);
    let subscription: vscode.Disposable | undefined;
    const ended = new Promise<number | undefined>((resolve) => {
      subscription = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (execution.task.name === name) resolve(exitCode);
      });
    });
    await vscode.tasks.executeTask(task);
    const exitCode = await ended;
    subscription?.dispose();
    return exitCode;
  }

  it('run a workflow, and end when its outputs are on disk', async () => {
    await writeFile('task-run.json', smallPrompt(201));
    const before = new Set(parts.store.jobs().map(({ id }) => id));
    const exitCode = await exitCodeOf('run it');
    const job = parts.store.jobs().find(({ id }) => !before.has(id));
    assert.equal(job?.state, 'completed', JSON.stringify(answers.shown));
    assert.equal(parts.known.filesOfJob(job.id).length, 1);
    assert.equal(exitCode, 0);
  });

  it('validate the files of a pattern, and fail if one has an error', async () => {
    await writeFile('task-good.json', smallPrompt(202));
    const wrong = JSON.stringify(smallPrompt(203)).replace('"euler"', '"eulr"');
    assert.match(wrong, /eulr/);
    await writeFile('task-wrong.json', JSON.parse(wrong));
    assert.equal(await exitCodeOf('validate a good one'), 0);
    assert.equal(await exitCodeOf('validate both'), 1);
  });

  it('run a batch file, and end when all rows are on disk', async () => {
    await writeFile('task-rows.json', smallPrompt(205));
    const set = { 'KSampler.seed': [1, 2] };
    await writeFile('task-rows.batch.json', { format: 1, workflow: 'task-rows.json', set });
    assert.equal(await exitCodeOf('run a batch'), 0);
    const [batch] = parts.batches.shown.filter(({ label }) => label === 'task-rows.json');
    assert.deepEqual(
      batch?.rows.map(({ state }) => state),
      ['saved', 'saved'],
    );
  });

  it('fail if no file matches', async () => {
    assert.equal(await exitCodeOf('run nothing'), 1);
  });

  it('are offered for open workflow files', async () => {
    const uri = await writeFile('task-open.json', smallPrompt(204));
    await vscode.window.showTextDocument(uri);
    const task = await named('validate task-open.json');
    assert.deepEqual(task.definition, { type: 'comfyDeck', command: 'validate', file: 'task-open.json' });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
