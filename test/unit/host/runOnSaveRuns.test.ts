import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RunStore } from '../../../src/core/runLife/runStore';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { OutputPlaces } from '../../../src/host/outputs/outputPlace';
import { RunOnSaveRuns } from '../../../src/host/runs/runOnSaveRuns';
import { RunOnSaveSwitch } from '../../../src/host/runs/runOnSaveSwitch';
import { window, workspace } from '../../support/inMemoryVscode';
import { observeJobs, stored } from '../jobs/observations';

const shown: string[] = [];
let press: ((button: string) => void) | undefined;

type Parts = ConstructorParameters<typeof RunOnSaveRuns>;

const folder = { name: 'flows', uri: { scheme: 'file', fsPath: '/flows' } };
const prompt = '{"1":{"class_type":"SaveImage","inputs":{}}}';

const hash = createHash('sha256').update(prompt).digest('hex');

/** A window that has already answered, or not, and knows these jobs. */
function windowWith({ isAnswered = true, jobs = [] as readonly ReturnType<typeof stored>[] } = {}) {
  const sent: string[] = [];
  const states: string[] = [];
  const memory = new Map<string, unknown>();
  if (isAnswered) memory.set('runOnSave.answer', { runs: true, setting: '[null,true]' });
  const onSave = new RunOnSaveSwitch({
    get: (key: string) => memory.get(key),
    update: (key: string, value: unknown) => Promise.resolve(memory.set(key, value)),
  } as unknown as ConstructorParameters<typeof RunOnSaveSwitch>[0]);
  const store = new JobStore();
  observeJobs(store, jobs);
  const runs = {
    isUnderWay: () => false,
    onDidSend: () => undefined,
    run: ({ label }: { readonly label: string }) => Promise.resolve(void sent.push(label)),
    servers: {
      current: () => ({ kind: 'local', name: 'Here', url: 'http://here' }),
      isCurrent: (origin: string) => origin === 'http://here',
    },
    windowRuns: {
      ...{
        runs: new RunStore(store),
        pointers: { owed: () => [], read: () => Promise.resolve() },
        places: new OutputPlaces(),
      },
      ready: () => Promise.resolve(),
    },
  } as unknown as Parts[1];
  const onState: Parts[3] = (file, state) => {
    states.push(`${file} ${state.kind === 'notRun' ? state.why.kind : state.kind}`);
  };
  const log = { info: () => undefined, error: () => undefined };
  const made = new RunOnSaveRuns({ log } as unknown as Parts[0], runs, onSave, onState);
  const save = async (file: string): Promise<void> => {
    made.saved({ toString: () => file } as unknown as Parameters<RunOnSaveRuns['saved']>[0], prompt);
    await vi.advanceTimersByTimeAsync(600);
  };
  return { sent, states, save };
}

describe('a save', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    workspace.workspaceFolders = [folder];
    shown.length = 0;
    const runOnSave = { get: () => true, inspect: () => ({ defaultValue: false, workspaceValue: true }) };
    vi.spyOn(workspace, 'getConfiguration').mockReturnValue(runOnSave as never);
    vi.spyOn(window, 'showWarningMessage').mockImplementation((message) => {
      shown.push(message);
      return new Promise((resolve) => (press = resolve as never));
    });
    return () => {
      vi.useRealTimers();
      vi.restoreAllMocks();
      workspace.workspaceFolders = undefined;
    };
  });

  it('opens no dialog for an output folder, and says in a notification that one is needed', async () => {
    workspace.workspaceFolders = [];
    const { sent, states, save } = windowWith();
    await save('a.json');
    expect(sent).toEqual([]);
    expect(states.at(-1)).toBe('a.json needsAnswer');
    expect(shown).toEqual([
      "a.json was saved but not run, because you haven't chosen an output folder for it.",
    ]);
  });

  it('runs after the answer to its own question, but not to that of another save', async () => {
    const { sent, states, save } = windowWith({ isAnswered: false });
    await save('a.json');
    await save('b.json');
    expect(shown).toHaveLength(1);
    expect(states).toEqual(['b.json noAnswer']);
    press?.('Run on Save');
    await vi.advanceTimersByTimeAsync(10);
    expect(sent).toEqual(['a.json']);
  });

  it('runs what has only run on another server', async () => {
    const ran = (server: string) => ({
      ...stored('completed'),
      server,
      origin: { label: 'a', nodeNames: {}, seeds: {}, sourceUri: 'a.json', sourceHash: hash },
    });
    const there = windowWith({ jobs: [ran('http://there')] });
    await there.save('a.json');
    expect(there.sent).toEqual(['a.json']);
    const here = windowWith({ jobs: [ran('http://here')] });
    await here.save('a.json');
    expect(here.states).toEqual(['a.json sameAsRun']);
  });
});
