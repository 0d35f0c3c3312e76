import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../../src/core/jobs/job';
import { JobStore } from '../../../../src/core/jobs/jobStore';
import { RunStore } from '../../../../src/core/runLife/runStore';
import { shown } from '../../../../src/core/safety/shownText';
import { OutputPlaces } from '../../../../src/host/outputs/outputPlace';
import { SavedByHand } from '../../../../src/host/runs/runOnSave';
import { hasPromptRun, RunOnSaveRuns } from '../../../../src/host/runs/runOnSaveRuns';
import { presentRunOnSave, RunOnSaveSwitch } from '../../../../src/host/runs/runOnSaveSwitch';
import { Uri, window, workspace } from '../../../support/inMemoryVscode';
import { observeJobs, stored, storedElsewhere } from '../../jobs/observations';

const notices: string[] = [];
let press: ((button: string) => void) | undefined;

type Parts = ConstructorParameters<typeof RunOnSaveRuns>;

const folder = { name: 'flows', uri: Uri.file('/flows') };
const promptOf = (prefix: string) =>
  `{"1":{"class_type":"SaveImage","inputs":{"filename_prefix":"${prefix}"}}}`;

const hashOf = (prefix: string) => createHash('sha256').update(promptOf(prefix)).digest('hex');

/** A window, its jobs and the user's answers. */
class World {
  /** Prefixes of the prompts that were sent. */
  readonly sent: string[] = [];
  readonly words: string[] = [];
  /** The results of the next runs, instead of a job: a refusal or an error. */
  readonly outcomes: (string | Error)[] = [];
  owed: object[] = [];
  server = 'http://here';
  isBusy = false;
  /** Blocks a run until it is resolved. */
  hold: Promise<void> | undefined;
  #wake = (): void => undefined;
  readonly #runs: RunOnSaveRuns;

  constructor({ isAnswered = true, jobs = [] as readonly Job[] } = {}) {
    const memory = new Map<string, unknown>();
    if (isAnswered) memory.set('runOnSave.answer', { runs: true, setting: '[null,true]' });
    const onSave = new RunOnSaveSwitch({
      get: (key: string) => memory.get(key),
      update: (key: string, value: unknown) => Promise.resolve(memory.set(key, value)),
    } as unknown as ConstructorParameters<typeof RunOnSaveSwitch>[0]);
    const store = new JobStore();
    observeJobs(store, jobs);
    const runs = {
      isUnderWay: () => this.isBusy,
      onDidSend: (wake: () => void) => (this.#wake = wake),
      run: this.#run.bind(this),
      servers: {
        current: () => ({ kind: 'local', name: 'Here', url: this.server }),
        isCurrent: (origin: string) => origin === this.server,
      },
      windowRuns: {
        runs: new RunStore(store),
        store,
        pointers: { owed: () => this.owed, read: () => Promise.resolve() },
        places: new OutputPlaces(),
        ready: () => Promise.resolve(),
      },
    } as unknown as Parts[1];
    const platform = { log: { info: () => undefined, error: () => undefined }, onError: () => undefined };
    this.#runs = new RunOnSaveRuns(platform as unknown as Parts[0], runs, onSave, (_file, { long }) => {
      this.words.push(long.line());
    });
  }

  async save(prefix: string, name = 'a.json', after = 600): Promise<void> {
    this.#runs.saved(Uri.file(`/${name}`) as never, promptOf(prefix));
    await vi.advanceTimersByTimeAsync(after);
  }
  async jobEnds(): Promise<void> {
    this.isBusy = false;
    this.#wake();
    await vi.advanceTimersByTimeAsync(0);
  }

  async #run(...[source, , , unattended]: Parameters<Parts[1]['run']>): Promise<string | undefined> {
    this.sent.push(/prefix":"(.*?)"/.exec(source.workflow.text)?.[1] ?? 'nothing');
    await this.hold;
    const outcome = this.outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    if (outcome === undefined) {
      this.isBusy = true;
      return 'j1';
    }
    const refusal = { message: outcome, nextAction: 'Fix the value, then run again.' };
    unattended?.refused(refusal as never);
    return undefined;
  }
}

describe('a save', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    workspace.workspaceFolders = [folder];
    notices.length = 0;
    const runOnSave = { get: () => true, inspect: () => ({ defaultValue: false, workspaceValue: true }) };
    vi.spyOn(workspace, 'getConfiguration').mockReturnValue(runOnSave as never);
    vi.spyOn(window, 'showWarningMessage').mockImplementation((message) => {
      notices.push(message);
      return new Promise((resolve) => (press = resolve as never));
    });
    return () => {
      vi.useRealTimers();
      vi.restoreAllMocks();
      workspace.workspaceFolders = undefined;
      workspace.isTrusted = true;
    };
  });

  it('runs once when others follow closely, using the last one', async () => {
    const world = new World();
    for (const prefix of ['a', 'b', 'c']) await world.save(prefix, 'a.json', 100);
    await vi.advanceTimersByTimeAsync(450);
    expect(world.sent).toEqual(['c']);
    expect(world.words).toEqual([
      'a.json is being sent to the server.',
      'a.json ran when you last saved it.',
    ]);
  });

  it('waits while the file has a job, and the last one runs when it ends', async () => {
    const world = new World();
    for (const prefix of ['a', 'b', 'c']) await world.save(prefix);
    expect(world.sent).toEqual(['a']);
    expect(world.words.at(-1)).toBe('a.json will run when its current job finishes.');
    await world.jobEnds();
    expect(world.sent).toEqual(['a', 'c']);
    await world.jobEnds();
    expect(world.sent).toEqual(['a', 'c']);
  });

  it('runs after one that was being sent when it was saved', async () => {
    const world = new World();
    let release = (): void => undefined;
    world.hold = new Promise((resolve) => (release = resolve));
    await world.save('a');
    await world.save('b');
    expect(world.sent).toEqual(['a']);
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.words.at(-1)).toMatch(/will run when/);
    await world.jobEnds();
    expect(world.sent).toEqual(['a', 'b']);
  });

  it("doesn't run when equal to the last run, which also drops what was waiting", async () => {
    const world = new World();
    for (const prefix of ['a', 'b', 'a']) await world.save(prefix);
    expect(world.words.at(-1)).toMatch(
      /^a\.json wasn't run, because nothing that affects the result has changed\./,
    );
    await world.jobEnds();
    expect(world.sent).toEqual(['a']);
  });

  it('is retried by the next one if it could not start, and not before', async () => {
    const world = new World();
    world.outcomes.push('No server', new Error('broken'));
    await world.save('a');
    const refused = "a.json wasn't run. No server. Fix the value, then run again.";
    expect(world.words.at(-1)).toBe(refused);
    expect(notices).toEqual(['a.json was saved but not run. No server. Fix the value, then run again.']);
    await world.jobEnds();
    expect(world.sent).toEqual(['a']);
    await world.save('a');
    expect(world.words.at(-1)).toBe("a.json wasn't run. broken. Save it again to retry.");
    await world.save('a');
    expect(world.sent).toEqual(['a', 'a', 'a']);
    expect(world.words.at(-1)).toMatch(/ran when/);
  });

  it("isn't sent while the fate of an earlier run of its file is unknown, whatever it sent", async () => {
    const world = new World();
    world.outcomes.push(new Error('No answer'));
    let release = (): void => undefined;
    world.hold = new Promise((resolve) => (release = resolve));
    await world.save('a');
    world.owed = [{ sourceUri: 'file:///a.json', server: world.server }];
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.words.at(-1)).toMatch(/^a\.json wasn't run again, because an earlier run/);
    for (const prefix of ['a', 'b']) await world.save(prefix);
    expect(world.sent).toEqual(['a']);
    expect(world.words.at(-1)).toMatch(/may still be running/);
  });

  it("doesn't run on a server selected while it waited", async () => {
    const world = new World();
    await world.save('a');
    await world.save('b');
    world.server = 'http://there';
    await world.jobEnds();
    expect(world.words.at(-1)).toMatch(/wasn't run\. You selected another server/);
    world.server = 'http://here';
    await world.jobEnds();
    expect(world.sent).toEqual(['a']);
  });

  it("doesn't run in an untrusted workspace", async () => {
    const world = new World();
    workspace.isTrusted = false;
    await world.save('a');
    expect(world.words).toEqual([
      expect.stringMatching(/wasn't run\. This works only in trusted workspaces/),
    ]);
    expect(world.sent).toEqual([]);
  });

  it('opens no dialog for an output folder, and says in a notification that one is needed', async () => {
    workspace.workspaceFolders = [];
    const world = new World();
    await world.save('a');
    expect(world.sent).toEqual([]);
    expect(world.words.at(-1)).toMatch(/a run needs your approval\. Use Run Workflow/);
    expect(notices).toEqual([
      "a.json was saved but not run, because you haven't chosen an output folder for it.",
    ]);
  });

  it('runs after the answer to its own question, but not to that of another save', async () => {
    const world = new World({ isAnswered: false });
    await world.save('a');
    await world.save('b', 'b.json');
    expect(notices).toHaveLength(1);
    expect(world.words).toEqual([expect.stringMatching(/^b\.json wasn't run\. You haven't confirmed/)]);
    press?.('Run on Save');
    await vi.advanceTimersByTimeAsync(10);
    expect(world.sent).toEqual(['a']);
  });

  it('runs what has only run on another server', async () => {
    const origin = {
      label: 'a',
      nodeNames: {},
      seeds: {},
      sourceUri: 'file:///a.json',
      sourceHash: hashOf('a'),
    };
    const ran = (server: string) => ({ ...stored('completed'), server, origin });
    const there = new World({ jobs: [ran('http://there')] });
    await there.save('a');
    expect(there.sent).toEqual(['a']);
    const here = new World({ jobs: [ran('http://here')] });
    await here.save('a');
    expect(here.words).toEqual([expect.stringMatching(/nothing that affects/)]);
  });
});

describe('the status item of run on save', () => {
  it("doesn't say that files run before the user has agreed to it", () => {
    expect(presentRunOnSave(false).tooltip.lines()).toMatch(
      /but you haven't confirmed it\.\n\nSave a workflow file to be asked\./,
    );
  });

  it('says what became of the last save, and outside text never acts', () => {
    const long = shown`${'[x](command:y) $(z)'} ran.`;
    const { tooltip, spoken, text } = presentRunOnSave(true, { short: shown`not run`, long, warning: true });
    expect(text.line()).toBe('$(save) Run on Save: not run');
    expect(spoken.line()).toContain(long.line());
    expect(tooltip.markdown()).not.toContain('[x](command:y)');
  });
});

describe('manual saves', () => {
  it('are distinguished from automatic ones for each file', () => {
    const saves = new SavedByHand();
    saves.begins('a', true);
    saves.begins('b', false);
    expect([saves.ends('a'), saves.ends('b'), saves.ends('a')]).toEqual([true, false, false]);
  });

  it("that failed don't make a later auto save manual", () => {
    const saves = new SavedByHand();
    saves.begins('a', true);
    saves.begins('a', false);
    expect(saves.ends('a')).toBe(false);
  });
});

const file = 'file:///a.json';
const asked = { sourceUri: file, sourceHash: 's1', promptHash: 'p1' };

function job(createdAt: number, sourceHash: string, promptHash?: string, more: Partial<Job> = {}): Job {
  const origin = { label: 'a', sourceUri: file, sourceHash, promptHash, nodeNames: {}, seeds: {} };
  return { ...storedElsewhere('completed', String(createdAt)), createdAt, origin, ...more };
}

describe('what is known about earlier runs of a saved prompt', () => {
  it("nothing when the file's last run had another prompt", () => {
    expect(hasPromptRun(asked, false, [])).toBe(false);
    expect(hasPromptRun(asked, false, [job(1, 's1', 'p1'), job(2, 's2', 'p2')])).toBe(false);
    const other = {
      ...job(3, 's1', 'p1'),
      origin: { label: 'b', sourceUri: 'file:///b.json', nodeNames: {}, seeds: {} },
    };
    expect(hasPromptRun(asked, false, [other])).toBe(false);
  });

  it('that it ran: by the prompt, for older jobs by the text', () => {
    expect(hasPromptRun(asked, false, [job(2, 'other blanks', 'p1'), job(1, 's2', 'p2')])).toBe(true);
    expect(hasPromptRun(asked, false, [job(1, 's1')])).toBe(true);
    expect(hasPromptRun({ ...asked, promptHash: undefined }, false, [job(1, 's9')])).toBe(false);
  });

  it('that it ran before an old job was run again, and after its row was removed', () => {
    expect(hasPromptRun(asked, true, [job(1, 's1', 'p1'), job(2, 's2', 'p2')])).toBe(true);
    expect(hasPromptRun(asked, true, [])).toBe(true);
  });

  it('nothing when the server accepted and then refused it; a failed node counts as a run', () => {
    const failure = (message: string): Partial<Job> => ({
      state: 'failed',
      failure: { exceptionType: 'ValidationError', message, traceback: [] },
    });
    const late = JSON.stringify({
      error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' },
      node_errors: {
        '1': { class_type: 'A', errors: [{ type: 'x', message: 'm', details: '', extra_info: {} }] },
      },
    });
    expect(hasPromptRun(asked, true, [job(1, 's1', 'p1', failure(late))])).toBe(false);
    expect(hasPromptRun(asked, true, [job(1, 's1', 'p1', failure('out of memory'))])).toBe(true);
    const words = { ...failure(late).failure, exceptionType: 'X', message: late, traceback: [], nodeId: '1' };
    expect(hasPromptRun(asked, true, [job(1, 's1', 'p1', { failure: words })])).toBe(true);
  });
});
