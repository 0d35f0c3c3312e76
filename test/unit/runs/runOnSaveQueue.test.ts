import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type SavedText,
  type RunOnSaveObstacle,
  RunOnSaveQueue,
  type RunOnSavePorts,
  knownRunOfPrompt,
} from '../../../src/core/runs/runOnSaveQueue';
import type { Job } from '../../../src/core/jobs/job';
import { storedElsewhere } from '../jobs/observations';

const rest = 500;

/** The surroundings of a file: its runs, its jobs, the user's answers. */
class World implements RunOnSavePorts {
  readonly runs: string[] = [];
  readonly states: string[] = [];
  /** The hash of the last run. */
  ranLast: string | undefined;
  unclear: string | undefined;
  busy = false;
  against: RunOnSaveObstacle | undefined;
  /** The results of the next runs, instead of a job. */
  readonly outcomes: (RunOnSaveObstacle | Error)[] = [];
  /** Blocks a run until it is called. */
  hold: Promise<void> | undefined;
  readonly queue = new RunOnSaveQueue(this);

  obstacle(): Promise<RunOnSaveObstacle | undefined> {
    return Promise.resolve(this.against);
  }
  hash({ workflow: { text } }: SavedText): Promise<string | undefined> {
    return Promise.resolve(text.replaceAll(' ', ''));
  }
  earlier(_save: SavedText, hash: string | undefined): 'sameAsRun' | 'unclear' | undefined {
    if (hash === this.unclear) return 'unclear';
    return hash === this.ranLast ? 'sameAsRun' : undefined;
  }
  isBusy(): boolean {
    return this.busy;
  }
  async run({ workflow: { text } }: SavedText): Promise<RunOnSaveObstacle | undefined> {
    this.runs.push(text);
    await this.hold;
    const outcome = this.outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    if (!outcome) {
      this.ranLast = text.replaceAll(' ', '');
      this.busy = true;
    }
    return outcome;
  }
  trouble(error: unknown): RunOnSaveObstacle {
    return { kind: 'failed', problem: error instanceof Error ? error.message : '' };
  }
  onState(_file: string, state: Parameters<RunOnSavePorts['onState']>[1]): void {
    this.states.push(state.kind === 'notRun' ? state.why.kind : state.kind);
  }

  async save(text: string): Promise<void> {
    this.queue.saved({ file: 'a.json', workflow: WorkflowDocument.of(text), server: 'one' });
    await vi.advanceTimersByTimeAsync(rest);
  }
  async jobEnds(): Promise<void> {
    this.busy = false;
    this.queue.wake();
    await vi.advanceTimersByTimeAsync(0);
  }
}

describe('saved texts', () => {
  let world: World;
  beforeEach(() => {
    vi.useFakeTimers();
    world = new World();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('run once when they follow each other closely, using the last one', async () => {
    for (const text of ['a', 'b', 'c'])
      world.queue.saved({ file: 'a.json', workflow: WorkflowDocument.of(text), server: 'one' });
    await vi.advanceTimersByTimeAsync(rest);
    expect(world.runs).toEqual(['c']);
    expect(world.states).toEqual(['sending', 'started']);
  });

  it('wait while the file has a job, and the last one runs when it ends', async () => {
    await world.save('a');
    await world.save('b');
    await world.save('c');
    expect(world.runs).toEqual(['a']);
    expect(world.states.at(-1)).toBe('waiting');
    world.queue.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.runs).toEqual(['a']);
    await world.jobEnds();
    expect(world.runs).toEqual(['a', 'c']);
    await world.jobEnds();
    expect(world.runs).toEqual(['a', 'c']);
  });

  it('run after one that was being sent when they were saved', async () => {
    let release = (): void => undefined;
    world.hold = new Promise((resolve) => (release = resolve));
    await world.save('a');
    await world.save('b');
    expect(world.runs).toEqual(['a']);
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.states.at(-1)).toBe('waiting');
    await world.jobEnds();
    expect(world.runs).toEqual(['a', 'b']);
  });

  it('do not run when equal to the last run, which also drops what was waiting', async () => {
    await world.save('a');
    await world.save('b');
    await world.save(' a ');
    expect(world.states.at(-1)).toBe('sameAsRun');
    await world.jobEnds();
    expect(world.runs).toEqual(['a']);
  });

  it('are retried by the next save if they could not start, and not before', async () => {
    world.outcomes.push({ kind: 'failed', problem: 'no server' }, new Error('broken'));
    await world.save('a');
    expect(world.states.at(-1)).toBe('failed');
    await world.jobEnds();
    expect(world.runs).toEqual(['a']);
    await world.save('a');
    expect(world.states.at(-1)).toBe('failed');
    await world.save('a');
    expect(world.runs).toEqual(['a', 'a', 'a']);
    expect(world.states.at(-1)).toBe('started');
  });

  it('are not sent again while their fate is unknown', async () => {
    world.unclear = 'a';
    await world.save('a');
    expect(world.runs).toEqual([]);
    expect(world.states).toEqual(['unclear']);
    await world.save('b');
    expect(world.runs).toEqual(['b']);
  });

  it('do not run on a server selected while they waited', async () => {
    await world.save('a');
    await world.save('b');
    world.against = { kind: 'serverChanged' };
    await world.jobEnds();
    expect(world.runs).toEqual(['a']);
    expect(world.states.at(-1)).toBe('serverChanged');
    world.against = undefined;
    await world.jobEnds();
    expect(world.runs).toEqual(['a']);
  });
});

const file = 'file:///a.json';
const asked = { file, sourceHash: 's1', promptHash: 'p1' };

function job(createdAt: number, sourceHash: string, promptHash?: string, more: Partial<Job> = {}): Job {
  const origin = { label: 'a', sourceUri: file, sourceHash, promptHash, nodeNames: {}, seeds: {} };
  return { ...storedElsewhere('completed', String(createdAt)), createdAt, origin, ...more };
}

describe('what is known about earlier runs of a saved prompt', () => {
  it("nothing when the file's last run had another prompt", () => {
    expect(knownRunOfPrompt(asked, false, [], [])).toBeUndefined();
    expect(knownRunOfPrompt(asked, false, [job(1, 's1', 'p1'), job(2, 's2', 'p2')], [])).toBeUndefined();
    const other = {
      ...job(3, 's1', 'p1'),
      origin: { label: 'b', sourceUri: 'file:///b.json', nodeNames: {}, seeds: {} },
    };
    expect(knownRunOfPrompt(asked, false, [other], [])).toBeUndefined();
  });

  it('that it ran: by the prompt, for older jobs by the text', () => {
    expect(knownRunOfPrompt(asked, false, [job(2, 'other blanks', 'p1'), job(1, 's2', 'p2')], [])).toBe(
      'sameAsRun',
    );
    expect(knownRunOfPrompt(asked, false, [job(1, 's1')], [])).toBe('sameAsRun');
    expect(knownRunOfPrompt({ ...asked, promptHash: undefined }, false, [job(1, 's9')], [])).toBeUndefined();
  });

  it('that it ran before an old job was run again, and after its row was removed', () => {
    expect(knownRunOfPrompt(asked, true, [job(1, 's1', 'p1'), job(2, 's2', 'p2')], [])).toBe('sameAsRun');
    expect(knownRunOfPrompt(asked, true, [], [])).toBe('sameAsRun');
  });

  it('that its fate is unclear, whatever has run since', () => {
    const { origin } = job(1, 's1', 'p1');
    if (!origin) throw new Error('no origin');
    expect(knownRunOfPrompt(asked, false, [job(2, 's2', 'p2')], [origin])).toBe('unclear');
    expect(
      knownRunOfPrompt({ ...asked, sourceHash: 's3', promptHash: 'p3' }, false, [], [origin]),
    ).toBeUndefined();
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
    expect(knownRunOfPrompt(asked, true, [job(1, 's1', 'p1', failure(late))], [])).toBeUndefined();
    expect(knownRunOfPrompt(asked, true, [job(1, 's1', 'p1', failure('out of memory'))], [])).toBe(
      'sameAsRun',
    );
    const words = { ...failure(late).failure, exceptionType: 'X', message: late, traceback: [], nodeId: '1' };
    expect(knownRunOfPrompt(asked, true, [job(1, 's1', 'p1', { failure: words })], [])).toBe('sameAsRun');
  });
});
