import { afterEach, describe, expect, it } from 'vitest';
import type { Job, JobFile } from '../../../src/core/jobs/job';
import {
  finalState,
  sendingRecord,
  settledRecord,
  lostRecord,
  savingRecord,
  submittedRecord,
} from '../../../src/core/records/recordSteps';
import { troubleWords } from '../../../src/core/records/runWords';
import {
  isOwed,
  readRunRecord,
  writeRunRecord,
  type RunRecord,
  type NotSavedWhy,
} from '../../../src/core/records/runRecord';
import { useTranslations } from '../../../src/core/safety/localize';
import { server, storedElsewhere } from '../jobs/observations';
import { expectedFile } from '../../../src/core/outputs/expectedFile';
import { jobOfRecord } from '../../../src/core/records/jobOfRecord';
import { budgets } from '../../../src/core/safety/budgets';

const first = { server, label: 'w.json', seeds: {}, sentAt: 0 };

describe('the first record of a run', () => {
  it('contains only what records should, whatever else its run knows', () => {
    const knowing = {
      ...first,
      origin: { sourceUri: 'file:///elsewhere/w.json' },
      partnerKey: 'Bearer of a secret',
      folder: '/elsewhere/outputs',
    };
    expect(sendingRecord(knowing)).toEqual(sendingRecord(first));
  });
});

describe('the record of an ended job', () => {
  const ended: Job = {
    ...storedElsewhere('failed'),
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
  const record = settledRecord(sendingRecord(first), ended, undefined);

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
    ...storedElsewhere('completed'),
    origin: { label: 'w.json', nodeNames: {}, seeds: {}, outputNodes: ['7', '9'] },
    ...{ eventsOnly: true, missedEvents: true, executed: ['7'] },
  };
  const sent = sendingRecord({ ...first, outputNodes: ['7', '9'] });

  it('is "outputs unknown": not owed, and with the reason', () => {
    const record = settledRecord(sent, missed, undefined);
    expect([record.state, isOwed(record), finalState(missed, record)]).toEqual([
      'outputsUnknown',
      false,
      'outputsUnknown',
    ]);
    expect(troubleWords(record)).toMatch(/its outputs are unknown: .* may cost again\.$/);
    expect(record.outputNodes).toEqual(['9']);
  });

  it('waits for outputs that are known and not on disk', () => {
    const record = settledRecord(sent, missed, 'diskFull');
    expect([record.state, finalState(missed, record)]).toEqual(['incomplete', 'incomplete']);
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
    expect(finalState({ ...missed, state })).toBe(state);
  });
});

describe('why outputs are missing', () => {
  afterEach(() => useTranslations('en', {}));

  const output = { node: '9', area: 'output' };
  const sent = sendingRecord(first);
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
  const ended = storedElsewhere('completed');
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
    ['tooLarge', 'b.png is too large.'],
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
      'The server reports 1 output for this job but lists 0.',
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

describe('the job of a run, read back from its record', () => {
  const promptText = JSON.stringify({
    '3': { class_type: 'KSampler', inputs: { seed: 7 } },
    '4': { class_type: 'CheckpointLoaderSimple', inputs: {}, _meta: { title: 'Load Checkpoint' } },
    '9': { class_type: 'SaveAudio', inputs: {} },
    '12': { class_type: 'PreviewImage', inputs: {} },
  });

  const file = (filename: string): JobFile => {
    return { filename, subfolder: '', area: 'output', nodeId: '9', media: 'image' };
  };

  const made: Job = {
    ...storedElsewhere('completed', 'job-1'),
    origin: {
      label: 'w.json',
      sourceHash: 'aa',
      promptHash: 'bb',
      nodeNames: { 3: 'KSampler', 4: 'Load Checkpoint', 9: 'SaveAudio', 12: 'PreviewImage' },
      seeds: { '3.seed': '18446744073709551615' },
      leftOut: { outputs: ['12'], nodes: ['12'] },
    },
    createdAt: 1_000,
    startedAt: 2_000,
    endedAt: 9_000,
    nodes: {
      3: {
        nodeId: '3',
        state: 'finished',
        value: 1,
        max: 1,
        ...{ startedAt: 2_000, endedAt: 8_000, price: 1.5, priceAt: 8_000 },
      },
      4: { nodeId: '4', state: 'cached', value: 1, max: 1 },
    },
    outputs: [
      { ...file('a.bin'), subfolder: 'deep/er', media: 'audio', displayName: 'Song' },
      { ...file('b.png'), facts: { width: 4 } },
      { ...file('c.png'), area: 'temp', nodeId: '12' },
    ],
    texts: [{ nodeId: '9', text: 'a word' }],
    notices: [{ text: 'Queued for execution', at: 1_500 }],
    blocked: [
      {
        nodeId: '12',
        nodeType: 'PreviewImage',
        exceptionType: 'Blocked',
        message: 'No image',
        traceback: [],
      },
    ],
  };

  /** As its record is read back after its end. */
  function recorded(job: Job, notSaved?: NotSavedWhy): RunRecord {
    const { label = '', seeds = {}, sourceHash, promptHash, leftOut } = job.origin ?? {};
    const told = { server: job.server, label, seeds, sourceHash, promptHash, promptText, sentAt: 500 };
    const sent = submittedRecord(sendingRecord(told), job.id, 900, leftOut);
    const kept = job.outputs.filter(({ area }) => area !== 'temp');
    const saving = savingRecord(
      sent,
      job,
      kept.map((file) => expectedFile(file, `w-${file.filename}`)),
    );
    const whole = { ...saving, files: saving.expected.map((file) => ({ ...file, sha256: 'cc', bytes: 1 })) };
    const text = new TextDecoder().decode(writeRunRecord(settledRecord(whole, job, notSaved)));
    const record = readRunRecord(text);
    if (!record) throw new Error(text);
    return record;
  }

  it('is what it was when it ended', () => {
    expect(jobOfRecord(recorded(made))).toEqual(made);
    const misnamed: Job = { ...made, misnamed: true };
    expect(jobOfRecord(recorded(misnamed))).toEqual(misnamed);
  });

  it.each(['completed', 'failed', 'cancelled', 'lost'] as const)('has the same end: %s', (state) => {
    expect(jobOfRecord(recorded({ ...made, state }))?.state).toBe(state);
  });

  it.each(['completed', 'failed', 'cancelled'] as const)(
    'has the same end while some of its outputs are not on disk: %s',
    (state) => {
      const record = recorded({ ...made, state }, 'diskFull');
      expect(record.state).toBe('incomplete');
      expect(jobOfRecord(record)?.state).toBe(state);
    },
  );

  it('has failed at the same node, for the same reason', () => {
    const failure = {
      nodeId: '3',
      nodeType: 'KSampler',
      exceptionType: 'Error',
      message: 'No memory',
      traceback: ['at a\n'],
    };
    const failed = jobOfRecord(recorded({ ...made, state: 'failed', failure }));
    expect(failed?.failure).toEqual(failure);
    expect(failed?.nodes['3']?.state).toBe('error');
  });

  it('is not there before the server accepted it, and never claims to run', () => {
    const sent = sendingRecord(first);
    expect(jobOfRecord(sent)).toBeUndefined();
    const running = { ...submittedRecord(sent, 'job-1', 0), startedAt: '2026-01-15T12:00:00.000Z' };
    expect(jobOfRecord(running)?.state).toBe('pending');
  });

  it('has the end of a traceback that is too long', () => {
    const traceback = Array.from({ length: 200 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
    const failure = { exceptionType: 'Error', message: 'No memory', traceback };
    const lines = recorded({ ...made, state: 'failed', failure }).error?.traceback ?? [];
    expect(lines.at(-1)).toBe(traceback.at(-1));
    expect(lines.join('').length).toBeLessThanOrEqual(budgets.recordedTraceback);
    expect(lines.length).toBeGreaterThan(10);
  });

  it('says why a run was lost with its sandbox', () => {
    const lost = lostRecord(submittedRecord(sendingRecord(first), 'job-1', 0), 'sandboxEnded');
    expect(jobOfRecord(lost)).toMatchObject({ state: 'lost', lostWhy: 'sandboxEnded' });
    expect(jobOfRecord({ ...lost, why: 'forgotten' })?.lostWhy).toBeUndefined();
  });
});
