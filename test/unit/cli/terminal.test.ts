import { describe, expect, it } from 'vitest';
import { liveProgress } from '../../../src/cli/liveProgress';
import { plainProgress } from '../../../src/cli/progressDisplay';
import { RunReport } from '../../../src/cli/runReport';
import { printingTerminal, showsColors, type Terminal } from '../../../src/cli/terminal';
import stringWidth from 'string-width';
import { cutTo, paddedTo, wrappedLines } from '../../../src/cli/textWidth';
import type { Job, JobNodeState } from '../../../src/core/jobs/job';
import type { SavedOutput } from '../../../src/core/outputs/expectedFile';
import { Secrets } from '../../../src/core/safety/secrets';
import { storedElsewhere } from '../jobs/observations';

const terminal = (own: Partial<Terminal>): Terminal => ({
  out: () => undefined,
  err: () => undefined,
  columns: undefined,
  env: {},
  onInterrupt: () => () => undefined,
  exit: () => undefined,
  ...own,
});

function printed(text: string, hasColors: boolean): string {
  let out = '';
  const raw = terminal({ out: (part) => (out += part), hasColors });
  printingTerminal(raw, new Secrets()).out(text, 'differences');
  return out;
}

const differences = '+ Load (1)\n- Save (3)\n~ Sample (2)\n    seed: 5 → "\u001b[5m6"\n';

it('prints differences in colors, and no color that a file has', () => {
  const colored = (color: number, text: string): string => `\u001b[${color}m${text}\u001b[0m`;
  expect(printed(differences, true).split('\n')).toEqual([
    colored(32, '+ Load (1)'),
    colored(31, '- Save (3)'),
    colored(33, '~ Sample (2)'),
    `    seed: ${colored(31, '5')} → ${colored(32, '" [5m6"')}`,
    '',
  ]);
  expect(printed(differences, false)).toBe(differences.replace('\u001b', ' '));
});

it.each([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['the pager of Git', { GIT_PAGER_IN_USE: 'true' }, false, true],
  ['a user who wants none', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['a terminal without them', { TERM: 'dumb' }, true, false],
])('has colors for %s: %j', (_, env, isTerminal, expected) => {
  expect(showsColors(env, isTerminal)).toBe(expected);
});

describe('columns of a terminal', () => {
  it('are two for a Chinese character', () => {
    expect(paddedTo('运行', 6)).toBe('运行  ');
  });

  it.each([
    ['an emoji', '😀', 2],
    ['an emoji of several', '👩‍👩‍👧', 2],
    ['a flag', '🇩🇪', 2],
    ['a letter with a combining mark', 'e\u0301', 1],
    ['Korean', '한국', 4],
    ['Japanese', 'テスト', 6],
    ['a character of the second plane', '𠮷', 2],
  ])('count %s as it is shown', (_what, text, columns) => {
    expect(stringWidth(text)).toBe(columns);
    expect(stringWidth(paddedTo(text, 8))).toBe(8);
    expect(cutTo(`${text}!`, columns)).toBe(text);
    expect(cutTo(text, columns - 1)).not.toContain(text);
  });

  it('are never exceeded by cut text', () => {
    expect(cutTo('运行工作流', 5)).toBe('运行');
    expect(cutTo('run', 5)).toBe('run');
  });

  it('break between words', () => {
    expect(wrappedLines('save the outputs of a job', 10)).toEqual(['save the', 'outputs of', 'a job']);
  });
});

/** Times in ms. */
type NodeNow = readonly [state: JobNodeState, value?: number, max?: number, from?: number, to?: number];

const encode = 'CLIP Text Encode';
const nodeNames = { '1': 'Load Checkpoint', '2': encode, '3': encode, '5': 'KSampler' };

function jobWith(nodes: Readonly<Record<string, NodeNow>>): Job {
  return {
    ...storedElsewhere('running'),
    origin: { label: 'w.json', nodeNames, seeds: {} },
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([nodeId, [state, value = 0, max = 1, startedAt, endedAt]]) => [
        nodeId,
        { nodeId, state, value, max, startedAt, endedAt },
      ]),
    ),
  };
}

describe('the start of a loop that is told to be over before the loop is', () => {
  function lines(make: (write: (text: string) => void) => ReturnType<typeof plainProgress>): string {
    let written = '';
    const display = make((text) => (written += text));
    const job = (text: string, state: JobNodeState = 'finished', ended = false): Job => {
      const node = { nodeId: '1', state, value: state === 'finished' ? 3 : 0, max: 3, text };
      return { ...jobWith({}), state: ended ? 'completed' : 'running', nodes: { 1: node } };
    };
    display.job(job('Iteration 0 / 3', 'running'));
    display.job(job('Iteration 0 / 3'));
    display.job(job('Iteration 1 / 3'));
    written += '|';
    // The last one ends early, so no more is told.
    display.job(job('Iteration 1 / 3', 'finished', true));
    return written;
  }

  it('is not shown as completed until the loop is', () => {
    const [before = '', after = ''] = lines(plainProgress).split('|');
    expect(before).toContain('Load Checkpoint: running');
    expect(before).not.toContain('completed');
    expect(after).toContain('Load Checkpoint: completed');
    const live = lines((write) => liveProgress(write, 80)).split('|');
    expect(live[0]).toContain('1/3');
    expect(live[0]).not.toContain('3/3');
    expect(live[1]).toContain('3/3');
  });
});

describe('progress in files and pipes', () => {
  /** The lines shown for states of a job, at times in ms. */
  function linesOf(looks: readonly (readonly [number, Readonly<Record<string, NodeNow>>])[]): string[] {
    let written = '';
    let now = 0;
    const display = plainProgress(
      (text) => (written += text),
      () => now,
    );
    for (const [at, nodes] of looks) {
      now = at;
      display.job(jobWith(nodes));
    }
    return written.trimEnd().split('\n');
  }

  it('distinguishes nodes with the same title by their ids', () => {
    const looks = [
      [0, { '1': ['cached'], '2': ['running', 0, 1, 0] }],
      [450, { '1': ['cached'], '2': ['finished', 1, 1, 0, 410], '3': ['error'] }],
    ] as const;
    expect(linesOf(looks)).toEqual([
      'Load Checkpoint: cached',
      'CLIP Text Encode #2: running',
      'CLIP Text Encode #2: completed in 0.4 s',
      'CLIP Text Encode #3: failed',
    ]);
  });

  it('shows steps now and then, and their number and the time at the end', () => {
    const step = (value: number): Record<string, NodeNow> => ({ '5': ['running', value, 20, 0] });
    const looks = [
      [0, step(0)],
      [4_000, step(2)],
      [10_000, step(5)],
      [12_000, step(6)],
      [20_500, step(10)],
      [62_000, { '5': ['finished', 20, 20, 0, 62_000] }],
    ] as const;
    expect(linesOf(looks)).toEqual([
      'KSampler: running',
      'KSampler: step 5 of 20 after 10 s',
      'KSampler: step 10 of 20 after 20 s',
      'KSampler: completed, 20 steps in 1 min 2 s',
    ]);
  });
});

describe('progress at a terminal', () => {
  it('says how long a node ran', () => {
    let written = '';
    const display = liveProgress((text) => (written += text), 80);
    display.job(jobWith({ '1': ['finished', 1, 1, 0, 250], '5': ['finished', 20, 20, 250, 62_000] }));
    expect(written).toMatch(/^Load Checkpoint .* completed, 0\.3 s\nKSampler .* 20\/20, 1 min 1 s\n$/);
  });

  it('always shows the ids of nodes with the same title, however long the title', () => {
    let written = '';
    const display = liveProgress((text) => (written += text), 80);
    const title = 'A title that is much longer than the room for it';
    const job = jobWith({ '2': ['cached'], '3': ['cached'], '5': ['cached'] });
    display.job({
      ...job,
      origin: { label: 'w', seeds: {}, nodeNames: { '2': title, '3': title, '5': 'KSampler' } },
    });
    const lines = written.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, 28))).toEqual([
      'A title that is much lon… #2',
      'A title that is much lon… #3',
      'KSampler'.padEnd(28),
    ]);
  });
});

function saved(filename: string, name: string): SavedOutput {
  const file = { filename, subfolder: '', area: 'output', nodeId: '9', media: 'other' } as const;
  return { file, name, location: `/out/${name}`, bytes: 1, sha256: '00' };
}

it('the command line says which output got an extension that does not run', () => {
  let err = '';
  const report = new RunReport(terminal({ err: (text) => (err += text) }), false);
  report.saved([saved('tool.exe', 'w-tool.exe.txt'), saved('a.png', 'w-a.png'), saved('b.txt', 'w-b.txt')]);
  expect(err.match(/could run.*/g)).toEqual(['could run as a program, so it was saved as w-tool.exe.txt.']);
});
