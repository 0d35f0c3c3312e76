import { describe, expect, it } from 'vitest';
import type { Job, JobFile } from '../../../../src/core/jobs/job';
import { collectOutputs } from '../../../../src/core/protocol/outputRecord';
import type { JobPreview } from '../../../../src/core/jobs/eventJob';
import { FramePacer } from '../../../../src/host/preview/framePacer';
import { previewJob, previewRefusal, previousPicture } from '../../../../src/host/preview/previewModel';
import type { Silence } from '../../../../src/host/servers/sessions';
import { failure, origin, stored } from '../../jobs/observations';

const preview = (job: Job, silence?: Silence) => previewJob(job, 'Server', () => ({}), silence);

describe('the preview of a job', () => {
  it('says that the server does not answer, without a spinner', () => {
    const silent = preview(stored('running'), { since: 1_790_000_000_000 });
    expect(silent.stateText).toBe('Server not reachable, looking for the job…');
    expect(silent.startedAt).toBeUndefined();
    expect(silent.silent).toBe(true);
    expect(preview(stored('completed'), { since: undefined }).silent).toBeUndefined();
    expect(preview(stored('running'))).toMatchObject({ stateText: 'Running' });
  });

  it('says that the server refuses access, without a timer', () => {
    const shutOut = preview({ ...stored('running'), startedAt: 1_000 }, { since: 2_000, isShutOut: true });
    expect(shutOut.stateText).toBe('Running when last seen, access denied');
    expect(shutOut.silent).toBe(true);
    expect(shutOut.startedAt).toBeUndefined();
  });

  it('shows the same duration as the Jobs view, and counts only while the job runs', () => {
    const job = { ...stored('completed'), startedAt: 1_000, endedAt: 1_480 };
    expect(preview(job)).toMatchObject({ took: '0.5 s' });
    expect(preview(job).startedAt).toBeUndefined();
    expect(preview({ ...stored('running'), startedAt: 1_000 })).toMatchObject({ startedAt: 1_000 });
  });

  it('tells apart outputs of two nodes that have the same name', () => {
    const images = [{ filename: 'c0ffee.png', subfolder: '', type: 'output' }];
    const outputs = collectOutputs({ '2': { images }, '3': { images } }).files;
    const shown = preview({ ...stored('completed'), outputs }).outputs;
    expect(new Set(shown.map(({ key }) => key)).size).toBe(2);
  });

  it('shows an error once', () => {
    const failed = (message: string) =>
      preview({ ...stored('failed'), failure: failure({ message, exceptionType: 'ValueError' }) }).failure;
    const short = failed('bad size');
    expect(short?.title).toContain('bad size');
    expect(short?.message).toBe('ValueError at KSampler, node 2');
    expect(failed('bad size\nat line 3')?.message).toBe('ValueError at KSampler, node 2: at line 3');
    expect(failed('CUDA out of memory.')).toMatchObject({
      title: 'The GPU ran out of memory.',
      message: 'ValueError at KSampler, node 2: CUDA out of memory.',
    });
  });

  it('lists nodes in the order they ran, with their times and last messages', () => {
    const node = { value: 0, max: 1 };
    const job: Job = {
      ...stored('running'),
      nodes: {
        '2': { ...node, nodeId: '2', state: 'running', startedAt: 5_000, text: 'price: 5', textAt: 6_000 },
        '3': { ...node, nodeId: '3', state: 'finished', startedAt: 1_000, endedAt: 4_500 },
      },
      notices: [{ text: 'Queued for execution', at: 500 }],
    };
    const { nodes, words } = preview(job);
    expect(nodes.map(({ id, startedAt, endedAt }) => [id, startedAt, endedAt])).toEqual([
      ['3', 1_000, 4_500],
      ['2', 5_000, undefined],
      ['1', undefined, undefined],
    ]);
    expect(words).toEqual([
      { from: 'Server', text: 'Queued for execution' },
      { from: 'Sampler', text: 'price: 5' },
    ]);
  });

  it('does not repeat a text that a node both outputs and shows while running', () => {
    const job: Job = {
      ...stored('completed'),
      nodes: { '2': { nodeId: '2', state: 'finished', value: 1, max: 1, text: 'a river', textAt: 1 } },
      texts: [{ nodeId: '2', text: 'a river' }],
    };
    expect(preview(job)).toMatchObject({ words: [], outputs: [{ media: 'text', text: 'a river' }] });
  });

  it('shows saved outputs first, then those of preview nodes', () => {
    const file = (nodeId: string, area: string) =>
      ({ filename: `${nodeId}.png`, subfolder: '', area, nodeId, media: 'image' }) as const;
    const job = { ...stored('completed'), outputs: [file('1', 'temp'), file('2', 'output')] };
    const place = ({ area }: { area: string }) => (area === 'temp' ? { temporary: true as const } : {});
    expect(previewJob(job, 'Server', place).outputs).toMatchObject([
      { name: '2.png' },
      { name: '1.png', temporary: true },
    ]);
  });

  it('shows the first of thousands of outputs, and the number of the others', () => {
    const images = Array.from({ length: 3_000 }, (_, index) => ({ filename: `${index}.png`, subfolder: '' }));
    const job = { ...stored('completed'), outputs: collectOutputs({ '9': { images } }).files };
    const { outputs } = preview(job);
    expect(outputs).toHaveLength(501);
    expect(outputs.at(-1)).toMatchObject({ media: 'text', text: '2500 more in the Jobs view.' });
  });

  it('no longer says "queued" once it runs', () => {
    const notices = [{ text: 'Queued for execution', at: 500 }];
    const words = (state: Job['state'], startedAt?: number): string[] =>
      preview({ ...stored(state), notices, startedAt }).words.map(({ text }) => text);
    expect(words('pending')).toEqual(['Queued for execution']);
    expect(words('running', 400), 'that arrived after the start').toEqual([]);
    expect(words('running', -2_000), 'said while it runs').toEqual(['Queued for execution']);
    for (const state of ['running', 'failed', 'cancelled'] as const) expect(words(state, 600)).toEqual([]);
    expect(words('completed')).toEqual([]);
  });

  it('says what may have happened to a job that the server lost', () => {
    expect(preview(stored('lost')).stateText).toBe('The server was restarted, or it removed the job');
  });
});

describe('the preview of a run that did not start', () => {
  it('lists what is wrong, and how many more problems there are', () => {
    const places = Array.from({ length: 25 }, (_, index) => ({
      message: `Problem ${index}.`,
      offset: index,
      length: 1,
    }));
    const run = { label: 'a.json', server: 'Server', message: 'It has problems.', nextAction: 'Fix them.' };
    const refusal = previewRefusal({ ...run, places });
    expect(refusal).toMatchObject({ title: 'a.json', message: 'It has problems.', more: 5 });
    expect(refusal.problems).toHaveLength(20);
    expect(previewRefusal({ ...run, places: [] })).toMatchObject({ problems: [], more: 0 });
  });

  it.each([
    ['page.html', 'This is a web page.'],
    ['tool.exe', "This file could run as a program, so it's saved with .txt added"],
    ['start.BAT', 'This file could run as a program'],
    ['notes.txt', 'Open this text file to read it.'],
  ])("shows no output that the server lists as a picture but isn't one: %s", (filename, words) => {
    const made: Job = {
      ...stored('completed'),
      outputs: collectOutputs({ '2': { images: [{ filename, subfolder: '', type: 'output' }] } }).files,
    };
    const [output] = previewJob(made, 'Server', () => ({ source: 'vscode-webview://file' })).outputs;
    expect(output).toMatchObject({ media: 'other', source: 'vscode-webview://file' });
    expect(output?.about).toContain(words);
  });

  it('shows pictures, SVG included, without a note', () => {
    const images = ['a.png', 'b.svg', 'c'].map((filename) => ({ filename, subfolder: '', type: 'output' }));
    const made: Job = { ...stored('completed'), outputs: collectOutputs({ '2': { images } }).files };
    const { outputs } = preview(made);
    expect(outputs.map(({ media }) => media)).toEqual(['image', 'image', 'image']);
    expect(outputs.some(({ about }) => about !== undefined)).toBe(false);
  });

  it('shows an error once', () => {
    const same = { message: 'The graph is broken.', offset: 0, length: 1 };
    const run = { label: 'a.json', server: 'Server', nextAction: 'Mend it.', message: same.message };
    expect(previewRefusal({ ...run, places: [same] })).toMatchObject({
      message: '',
      problems: [same.message],
    });
  });
});

describe('the picture before', () => {
  function file(filename: string, more: Partial<JobFile> = {}): JobFile {
    return { filename, subfolder: '', area: 'output', nodeId: '3', media: 'image', index: 0, ...more };
  }

  function ran(id: string, createdAt: number, outputs: readonly JobFile[], label = origin.label): Job {
    return { ...stored('completed', id), createdAt, outputs, origin: { ...origin, label } };
  }

  const now = ran('now', 50, [file('now.png')]);
  const before = (...jobs: readonly Job[]) =>
    previousPicture([...jobs, now], now, file('now.png'), (_job, { filename }) => filename !== 'gone.png')
      ?.file.filename;

  it('is that of the same node in the latest earlier run of the workflow', () => {
    const old = ran('old', 10, [file('old.png')]);
    const last = ran('last', 40, [file('other.png', { nodeId: '9' }), file('last.png')]);
    const later = ran('later', 60, [file('later.png')]);
    const another = ran('another', 45, [file('another.png')], 'another.json');
    expect(before(old, last, later, another)).toBe('last.png');
  });

  it('is missing when no earlier run has one on disk', () => {
    expect(before()).toBeUndefined();
    expect(before(ran('gone', 40, [file('gone.png')]))).toBeUndefined();
    expect(before(ran('sound', 40, [file('a.flac', { media: 'audio' })]))).toBeUndefined();
  });

  it('is at the same position in a batch', () => {
    const batch = ran('batch', 40, [file('first.png'), file('second.png', { index: 1 })]);
    const second = file('now2.png', { index: 1 });
    expect(previousPicture([batch], now, second, () => true)?.file.filename).toBe('second.png');
  });
});

function frame(name: number): JobPreview {
  return { jobId: 'job', mime: 'image/jpeg', image: Uint8Array.of(name) };
}

function pacer(): { pacer: FramePacer; posted: { serial: number; name: number | undefined }[] } {
  const posted: { serial: number; name: number | undefined }[] = [];
  return { pacer: new FramePacer((serial, { image }) => posted.push({ serial, name: image[0] })), posted };
}

describe('frame pacing', () => {
  it('holds back frames while one is in flight, then sends only the newest', () => {
    const { pacer: paced, posted } = pacer();
    for (const name of [1, 2, 3, 4]) paced.offer(frame(name));
    expect(posted.map(({ name }) => name)).toEqual([1]);
    paced.painted(1);
    expect(posted.map(({ name }) => name)).toEqual([1, 4]);
    paced.painted(2);
    expect(posted).toHaveLength(2);
  });

  it('ignores an acknowledgement of a frame that is not in flight', () => {
    const { pacer: paced, posted } = pacer();
    paced.offer(frame(1));
    paced.offer(frame(2));
    paced.painted(7);
    expect(posted.map(({ name }) => name)).toEqual([1]);
  });

  it('starts over after the panel reloads, without waiting for a lost acknowledgement', () => {
    const { pacer: paced, posted } = pacer();
    paced.offer(frame(1));
    paced.offer(frame(2));
    paced.reset();
    paced.offer(frame(3));
    expect(posted.map(({ name }) => name)).toEqual([1, 3]);
    paced.painted(1);
    expect(posted).toHaveLength(2);
  });
});
