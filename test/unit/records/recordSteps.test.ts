import { afterEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { troubleWords, endState, sendingRecord, settledRecord } from '../../../src/core/records/recordSteps';
import { isOwed, readRunRecord, writeRunRecord } from '../../../src/core/records/runRecord';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { useTranslations } from '../../../src/core/safety/localize';

describe('the first record of a run', () => {
  const run = { server: 'http://127.0.0.1:8188', label: 'w.json', seeds: {}, sentAt: 0 };

  it('contains only what records should, whatever else its run knows', () => {
    const knowing = {
      ...run,
      origin: { sourceUri: 'file:///elsewhere/w.json' },
      partnerKey: 'Bearer of a secret',
      folder: '/elsewhere/outputs',
    };
    expect(sendingRecord(knowing)).toEqual(sendingRecord(run));
  });
});

describe('the record of an ended job', () => {
  const ended: Job = {
    id: 'job-1',
    server: 'http://127.0.0.1:8188',
    state: 'failed',
    cancelling: false,
    outputs: [],
    texts: [],
    blocked: [],
    startedAt: 1_000,
    endedAt: 9_000,
    origin: { label: 'w.json', nodeNames: { 3: 'KSampler', 4: 'Load Checkpoint' }, seeds: {} },
    nodes: {
      3: { nodeId: '3', state: 'error', value: 4, max: 20, startedAt: 2_000, endedAt: 8_000 },
      4: { nodeId: '4', state: 'cached', value: 1, max: 1 },
    },
    failure: {
      nodeId: '3',
      nodeType: 'KSampler',
      exceptionType: 'FileNotFoundError',
      message: "No such file: '/srv/ComfyUI/models/a.safetensors'",
      traceback: [
        'Traceback (most recent call last):\n',
        '  File "C:\\Users\\Jane Doe\\ComfyUI\\nodes.py", line 9, in load\n',
        "FileNotFoundError: '/srv/My ComfyUI/models/a.safetensors'\n",
      ],
    },
  };
  const record = settledRecord(
    sendingRecord({ server: 'http://127.0.0.1:8188', label: 'w.json', seeds: {}, sentAt: 0 }),
    ended,
    undefined,
  );

  it('tells when each node ran and which results the server had already', () => {
    expect(record.nodes).toEqual({
      3: { title: 'KSampler', startedAt: '1970-01-01T00:00:02.000Z', endedAt: '1970-01-01T00:00:08.000Z' },
      4: { title: 'Load Checkpoint', cached: true },
    });
  });

  it('tells what failed in the words of the server, without the folders of its machine', () => {
    expect(record.error).toEqual({
      message: "No such file: '…/a.safetensors'",
      kind: 'FileNotFoundError',
      node: '3',
      nodeType: 'KSampler',
      traceback: [
        'Traceback (most recent call last):\n',
        '  File "…\\nodes.py", line 9, in load\n',
        "FileNotFoundError: '…/a.safetensors'\n",
      ],
    });
  });
});

describe('the end of a run whose outputs only events tell', () => {
  const missed: Job = {
    id: 'job-1',
    server: 'http://127.0.0.1:8188',
    origin: { label: 'w.json', nodeNames: {}, seeds: {}, outputNodes: ['7', '9'] },
    state: 'completed',
    cancelling: false,
    nodes: {},
    eventsOnly: true,
    missedEvents: true,
    executed: ['7'],
    outputs: [],
    texts: [],
    blocked: [],
  };
  const sent = sendingRecord({
    server: missed.server,
    label: 'w.json',
    seeds: {},
    sentAt: 0,
    outputNodes: ['7', '9'],
  });

  it('is "outputs unknown": not owed, and with the reason', () => {
    const record = settledRecord(sent, missed, undefined);
    expect([record.state, isOwed(record), endState(missed, record)]).toEqual([
      'outputsUnknown',
      false,
      'outputsUnknown',
    ]);
    expect(troubleWords(record)).toMatch(/its outputs are unknown: .* may cost again\.$/);
    expect(record.outputNodes).toEqual(['9']);
  });

  it('waits for outputs that are known and not on disk', () => {
    const record = settledRecord(sent, missed, 'diskFull');
    expect([record.state, endState(missed, record)]).toEqual(['incomplete', 'incomplete']);
  });

  it('stays a success, with its texts, when it is asked for again where nothing lists it', () => {
    const told = { ...missed, executed: ['7', '9'], texts: [{ nodeId: '7', text: 'a cat' }] };
    const record = settledRecord(sent, told, undefined);
    expect(record).toMatchObject({ state: 'saved', outputNodes: [] });
    const origin = { label: 'w.json', nodeNames: {}, seeds: {}, outputNodes: record.outputNodes };
    const again = settledRecord(record, { ...missed, executed: [], origin }, undefined);
    expect(again).toMatchObject({ state: 'saved', texts: [{ node: '7', text: 'a cat' }] });
  });

  it.each(['failed', 'cancelled', 'lost'] as const)('is that of the job if it %s', (state) => {
    expect(endState({ ...missed, state })).toBe(state);
  });
});

describe('why outputs are missing', () => {
  afterEach(() => useTranslations('en', {}));

  const output = { node: '9', area: 'output' };
  const sent = sendingRecord({ server: 'http://127.0.0.1:8188', label: 'w.json', seeds: {}, sentAt: 0 });
  const saving: RunRecord = {
    ...sent,
    state: 'saving',
    job: 'job-1',
    expected: [
      { ...output, name: 'w-1.png', original: 'a.png' },
      { ...output, name: 'w-2.png', original: 'sub/b.png' },
    ],
    files: [{ ...output, name: 'w-1.png', original: 'a.png', bytes: 1, sha256: 'a'.repeat(64) }],
  };
  const ended: Job = {
    id: 'job-1',
    server: sent.server,
    state: 'completed',
    cancelling: false,
    nodes: {},
    outputs: [],
    texts: [],
    blocked: [],
  };
  const stored = (record: RunRecord): RunRecord | undefined =>
    readRunRecord(Buffer.from(writeRunRecord(record)).toString());
  const wordsFor = (...[record, job, why]: Parameters<typeof settledRecord>): string | undefined => {
    const kept = stored(settledRecord(record, job, why));
    expect(kept).toMatchObject({ state: 'incomplete', notSaved: why });
    return kept && troubleWords(kept);
  };

  it.each([
    ['interrupted', 'Saving was interrupted.'],
    ['diskFull', 'The disk is full, so not everything could be saved.'],
    ['exists', 'A file named b.png already exists and is not overwritten.'],
    ['tooLarge', 'b.png is too large to save.'],
    ['tooSlow', 'The download of b.png took too long and was stopped.'],
    ['broken', 'The download of b.png was interrupted.'],
    ['notTheFile', 'The server sent a web page instead of b.png.'],
    ['tooMany', 'The job made 2 files, but only 10000 are saved at a time.'],
    ['notFound', 'b.png is no longer on the server.'],
    ['network', "Can't reach http://127.0.0.1:8188."],
    ['timeout', "http://127.0.0.1:8188 didn't respond in time."],
    ['certificate', "The certificate of http://127.0.0.1:8188 isn't trusted."],
    ['unauthorized', 'The server rejected the key.'],
    ['badRequest', 'The server rejected the request.'],
    ['other', "b.png couldn't be saved."],
  ] as const)('is stored as a code, %s, and worded when it is shown', (why, words) => {
    expect(wordsFor(saving, ended, why)).toBe(words);
  });

  it('counts what the server does not list', () => {
    const unlisted = { ...ended, outputsCount: 3, outputsListed: 2 };
    const whole = { ...saving, expected: saving.expected.slice(0, 1), texts: [] };
    const job = { ...unlisted, texts: [{ nodeId: '9', text: 'a cat' }] };
    expect(wordsFor(whole, job, 'notListed')).toBe('The server reports 3 outputs for this job but lists 2.');
    const none = { ...sent, state: 'saving', job: 'job-1' } as const;
    expect(wordsFor(none, { ...ended, outputsCount: 1 }, 'notListed')).toBe(
      'The server reports 1 output for this job but lists none.',
    );
  });

  it('is in the display language of whoever looks, whoever wrote the record', () => {
    const record = settledRecord(saving, ended, undefined);
    useTranslations('zh-cn', { 'Saving was interrupted.': '保存被中断。' });
    expect(troubleWords(record)).toBe('保存被中断。');
  });

  it('is unknown where a later version says it in a code of its own', () => {
    const text = Buffer.from(writeRunRecord(settledRecord(saving, ended, 'diskFull'))).toString();
    const later = readRunRecord(text.replace('"diskFull"', '"diskOnFire"'));
    expect(later).toMatchObject({ state: 'incomplete' });
    expect(later && troubleWords(later)).toBeUndefined();
  });
});
