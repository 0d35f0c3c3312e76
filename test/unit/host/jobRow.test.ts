import { describe, expect, it, vi } from 'vitest';
import { failureWords } from '../../../src/core/jobs/failureText';
import type { Job, JobNode, JobNodeState } from '../../../src/core/jobs/job';
import { timeOfDay } from '../../../src/core/safety/timeText';
import { jobRow, nodeRow, outputRow } from '../../../src/host/jobs/jobRow';
import { RunDifferences } from '../../../src/host/jobs/runDifferences';
import { stored, storedElsewhere } from '../jobs/observations';

const base: Job = {
  id: '0f3c9c1e-0000-4000-8000-000000000001',
  server: 'http://127.0.0.1:8188',
  origin: { label: 'cat.json', nodeNames: { '1': 'Load', '2': 'Sample' }, seeds: {} },
  state: 'running',
  cancelling: false,
  startedAt: 1_000,
  nodes: {
    '1': { nodeId: '1', state: 'finished', value: 1, max: 1 },
    '2': { nodeId: '2', state: 'running', value: 14, max: 20 },
  },
  currentNodeId: '2',
  outputs: [],
  texts: [],
  blocked: [],
};
const facts = { files: 0, savedFiles: 0, saving: false, now: 9_000 };

describe('a row of the jobs tree', () => {
  it('puts the progress of a running job before its name, which a narrow side bar cuts off', () => {
    const row = jobRow(base, facts);
    expect(row.label).toBe('85% cat.json');
    expect(row.description).toBe('1/2 nodes, step 14/20, 8 s');
    expect(row.spoken).toBe('cat.json, running, 1/2 nodes, step 14/20, 8 s');
    expect(row.tooltip?.lines()).toMatch(/^cat\.json\nrunning, 1\/2 nodes/);
  });

  it('gives no percentage where that is not known', () => {
    expect(jobRow({ ...base, nodes: {} }, facts).label).toBe('0% cat.json');
    expect(jobRow({ ...base, origin: undefined }, facts).label).not.toContain('%');
    expect(jobRow({ ...base, cancelling: true }, facts).label).toBe('cat.json');
    expect(jobRow({ ...base, state: 'pending' }, facts).label).toBe('cat.json');
    expect(jobRow({ ...base, state: 'completed' }, facts).label).toMatch(/^cat\.json · /);
    expect(jobRow(base, { ...facts, silence: { since: undefined } }).label).toBe('cat.json');
  });

  it('of a job of which no progress is known says that it runs', () => {
    const { label, description } = jobRow({ ...base, origin: undefined, nodes: {} }, facts);
    expect([label, description]).toEqual(['Job 0f3c9c1e', 'running, 8 s, submitted elsewhere']);
  });

  it('says since when the server has not answered, without a spinner', () => {
    const since = 1_790_000_000_000;
    const row = jobRow(base, { ...facts, silence: { since } });
    expect(row.description).toBe('server not reachable, looking for the job…');
    expect(row.tooltip?.lines()).toMatch(/Last seen at \d/);
    expect(row.icon.id).not.toContain('spin');
    expect(row.tooltip?.lines()).toContain('Start the server, or check the network.');
    expect(jobRow(base, { ...facts, silence: { since: undefined } }).description).toBe(
      'running when last seen, waiting for the server',
    );
    expect(jobRow({ ...base, state: 'completed' }, { ...facts, silence: { since } }).spoken).toMatch(
      /^cat\.json, completed/,
    );
  });

  it('says that the server refuses access, without a spinner or a timer', () => {
    const row = jobRow(base, { ...facts, silence: { since: 1_790_000_000_000, isShutOut: true } });
    expect(row.description).toBe('running when last seen, access denied');
    expect(row.icon.id).not.toContain('spin');
    expect(row.tooltip?.lines()).not.toContain('retries');
  });

  it('shows what the server says about the outputs of a job submitted elsewhere, or nothing', () => {
    const words = (job: Partial<Job>) =>
      jobRow({ ...storedElsewhere('completed'), ...job }, facts).description;
    expect(words({ outputsCount: 3 })).toContain('3 outputs on the server');
    expect(words({ outputsCount: 0 })).toContain('no files');
    expect(words({})).not.toContain('files');
    expect(jobRow({ ...base, state: 'completed' }, facts).description).toContain('no files');
  });

  it("can be cancelled only while the job is alive, and interrupted only if it is not one's own", () => {
    const words = (job: Partial<Job>) => jobRow({ ...base, ...job }, facts).contextValue;
    for (const job of [{}, { state: 'pending' } as const]) expect(words(job)).toMatch(/\bcancellable\b/);
    for (const job of [{ cancelling: true }, { state: 'completed' } as const])
      expect(words(job)).not.toMatch(/\bcancellable\b/);
    expect(words({ state: 'completed' })).toMatch(/\bended\b/);
    expect(words({})).not.toMatch(/\brunning elsewhere\b/);
    expect(words({ origin: undefined })).toMatch(/\brunning elsewhere\b/);
  });

  it('shows cancelling until the server confirms it', () => {
    expect(jobRow({ ...base, cancelling: true }, facts).description).toMatch(/^cancelling/);
    expect(jobRow({ ...base, cancelling: true, state: 'completed' }, facts).spoken).toMatch(
      /^cat\.json, completed/,
    );
  });

  it('of a job whose outputs are unknown says so, instead of that it has none', () => {
    const unheard = { state: 'completed', eventsOnly: true, missedEvents: true } as const;
    const { spoken, icon } = jobRow({ ...base, ...unheard }, facts);
    expect(spoken).toMatch(/^cat\.json, outputs unknown/);
    expect(spoken).not.toContain('no files');
    expect(icon.id).toBe('warning');
    expect(jobRow({ ...base, ...unheard, missedEvents: undefined }, facts).spoken).toContain('no files');
  });

  it('shows one line about what went wrong', () => {
    const failure = { exceptionType: 'RuntimeError', message: 'bad size\ntrace', traceback: [] };
    const row = jobRow({ ...base, state: 'failed', failure }, facts);
    expect(row.description).toContain('failed');
    expect(row.description).toContain('bad size');
    expect(row.description).not.toContain('trace');
    expect(row.contextValue).toContain('failure');
  });

  it('distinguishes saved outputs from those only on the server', () => {
    const done: Job = { ...base, state: 'completed', endedAt: 4_000 };
    const words = (savedFiles: number) =>
      jobRow(done, { ...facts, files: 2, savedFiles }).contextValue.split(' ');
    expect(words(2)).toContain('saved');
    expect(words(2)).not.toContain('unsaved');
    expect(words(0)).toContain('unsaved');
    expect(words(0)).not.toContain('saved');
    const row = jobRow(done, { ...facts, files: 1, savedFiles: 1, temporary: 2 });
    expect(row.description).toContain('1 output, 2 temporary');
    expect(row.contextValue).not.toContain('unsaved');
  });

  it('of an ended run is named by workflow, time and length, then says what changed', () => {
    const origin = { label: 'cat.json', nodeNames: {}, seeds: { '2.seed': '42' } };
    const done: Job = { ...base, origin, state: 'completed', startedAt: 3_996_000, endedAt: 4_000_000 };
    const time = timeOfDay(4_000_000);
    const first = jobRow(done, facts);
    expect(first.label).toBe(`cat.json · ${time} · 4 s`);
    expect(first.description).toBe('seed 42, completed, no files');
    expect(first.spoken).toBe(`cat.json, completed, 4 s, no files, ${time}, seed 42`);
    const differences = ['steps 20 → 30', 'cfg 7 → 8', 'added Ink', 'without Blur'];
    const next = jobRow(done, { ...facts, before: done, differences });
    expect(next.label).toBe(first.label);
    expect(next.description).toMatch(/^seed 42, steps 20 → 30, cfg 7 → 8, 2 more, completed/);
    expect(next.tooltip?.lines()).toContain('without Blur');
    const failed = jobRow({ ...done, state: 'failed', startedAt: undefined }, facts);
    expect(failed.label).toBe(`cat.json · ${time}`);
  });

  it('leaves out the name where the heading has it', () => {
    const done: Job = { ...base, state: 'completed', startedAt: 3_996_000, endedAt: 4_000_000 };
    const { label, spoken } = jobRow(done, { ...facts, now: 4_060_000, tellsDay: true });
    expect(label).not.toContain('cat.json');
    expect(label).toMatch(/ · 4 s$/);
    expect(spoken).toMatch(/^cat\.json, completed/);
    const elsewhere = jobRow({ ...done, origin: undefined }, { ...facts, tellsDay: true });
    expect(elsewhere.label, 'its heading names no workflow').toMatch(/^Job 0f3c9c1e · /);
    const without = { ...done, startedAt: undefined, endedAt: undefined };
    const untimed = jobRow(without, { ...facts, tellsDay: true });
    expect(untimed.label, 'nothing else names it').toBe('cat.json');
  });

  it('shows the last digits of a long seed, counts the others, and names their nodes in the tooltip', () => {
    const seeds = { '2.seed': '18446744073709551615', '3.seed': '1' };
    const job: Job = { ...base, origin: { label: 'cat.json', nodeNames: { '2': 'Sample' }, seeds } };
    expect(jobRow(job, facts).description).toMatch(/, seed …09551615 and 1 more$/);
    expect(jobRow(job, facts).tooltip?.lines()).toContain('Seed of Sample (2): 18446744073709551615');
  });
});

describe('rows below a job', () => {
  it('show the step of a running node, and that a node of an ended job did not finish', () => {
    const node = base.nodes['2'];
    if (!node) throw new Error('the fixture has a node 2');
    expect(nodeRow(base, node).description).toBe('step 14/20');
    expect(nodeRow({ ...base, state: 'cancelled' }, node).description).toBe('not finished');
  });

  it('show how long a node ran', () => {
    const row = (state: JobNodeState, more: Partial<JobNode> = {}): string => {
      const node: JobNode = { nodeId: '2', state, value: 1, max: 1, ...more };
      const job: Job = { ...base, state: 'failed', endedAt: 30_000, nodes: { ...base.nodes, '2': node } };
      return nodeRow(job, node).description;
    };
    expect(row('finished', { startedAt: 2_000, endedAt: 3_940 })).toBe('completed in 1.9 s');
    expect(row('error', { startedAt: 2_000, endedAt: 14_000 })).toBe('failed after 12 s');
    expect(row('finished', { startedAt: 2_000 }), 'no end was told: that of the job').toBe(
      'completed in 28 s',
    );
    expect(row('finished')).toBe('completed');
    expect(row('cached', { startedAt: 2_000, endedAt: 2_000 })).toBe('cached');
    expect(row('running', { startedAt: 2_000 })).toBe('not finished');
  });

  it('show where an output is', () => {
    const file = { filename: 'a.png', subfolder: '', area: 'output', nodeId: '9', media: 'image' } as const;
    const remote = { description: 'on the server', contextValue: 'output' };
    expect(outputRow(file, undefined, false)).toMatchObject(remote);
    const here = { label: 'cat-a.png', contextValue: 'output saved' };
    expect(outputRow(file, 'cat-a.png', false)).toMatchObject(here);
    const temporary = { ...file, area: 'temp' };
    const sized = outputRow({ ...file, facts: { width: 64, height: 48 } }, 'cat-a.png', false);
    expect(sized.tooltip?.lines()).toBe('cat-a.png\n64 × 48');
    expect(outputRow(temporary, undefined, false)).toMatchObject({ description: 'temporary, on the server' });
    expect(outputRow(temporary, undefined, false, true)).toMatchObject({
      description: 'temporary, not saved',
      contextValue: 'output saved',
    });
  });
});

describe('a row of a job that the server accepted and then refused', () => {
  it("shows the server's complaint without its JSON", () => {
    const wrong = { type: 'value_not_in_list', message: 'Value not in list', details: 'sampler_name: x' };
    const node = { class_type: 'KSampler', errors: [{ ...wrong, extra_info: {} }], dependent_outputs: ['7'] };
    const error = { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' };
    const message = JSON.stringify({ error, node_errors: { '5': node } });
    for (const text of [message, `Validation failed: ${message}`]) {
      const failure = { exceptionType: 'ValidationError', message: text, traceback: [] };
      const failed: Job = { ...base, state: 'failed', failure };
      const { description, spoken } = jobRow(failed, { ...facts, failureWords });
      expect(description).toContain('KSampler (node 5): Value not in list: sampler_name: x');
      const { description: early } = jobRow(failed, facts);
      for (const words of [description, spoken, early]) expect(words).not.toMatch(/[{}]/);
    }
  });
});

const prompts: Readonly<Record<string, string>> = {
  a: '{"1":{"class_type":"KSampler","inputs":{"steps":20}}}',
  b: '{"1":{"class_type":"KSampler","inputs":{"steps":30}}}',
};

it('reports once what a run changed, after reading its prompt and the previous one', async () => {
  const onKnown = vi.fn();
  const of = vi.fn(({ id }: { id: string }) => Promise.resolve({ promptText: prompts[id] ?? '' }));
  const log = { error: (_what: string, error: unknown) => expect.unreachable(String(error)) };
  const differences = new RunDifferences({ sent: of as never }, log);
  differences.onDidChange(onKnown);
  const [before, job] = [stored('completed', 'a'), stored('completed', 'b')];
  expect(differences.of(job, before)).toBeUndefined();
  await vi.waitFor(() => expect(onKnown).toHaveBeenCalledWith('b'), 20_000);
  expect(differences.of(job, before)).toEqual(['steps 20 → 30']);
  expect(differences.of(job, before)).toEqual(['steps 20 → 30']);
  expect(of).toHaveBeenCalledTimes(2);
  differences.dispose();
});
