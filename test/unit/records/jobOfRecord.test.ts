import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { expectedFile } from '../../../src/core/outputs/expectedFile';
import { jobOfRecord } from '../../../src/core/records/jobOfRecord';
import {
  lostRecord,
  savingRecord,
  sendingRecord,
  settledRecord,
  submittedRecord,
} from '../../../src/core/records/recordSteps';
import {
  type NotSavedWhy,
  readRunRecord,
  type RunRecord,
  writeRunRecord,
} from '../../../src/core/records/runRecord';
import { budgets } from '../../../src/core/safety/budgets';

const promptText = JSON.stringify({
  '3': { class_type: 'KSampler', inputs: { seed: 7 } },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: {}, _meta: { title: 'Load Checkpoint' } },
  '9': { class_type: 'SaveAudio', inputs: {} },
  '12': { class_type: 'PreviewImage', inputs: {} },
});

const made: Job = {
  id: 'job-1',
  server: 'http://127.0.0.1:8188',
  origin: {
    label: 'w.json',
    sourceHash: 'aa',
    promptHash: 'bb',
    nodeNames: { 3: 'KSampler', 4: 'Load Checkpoint', 9: 'SaveAudio', 12: 'PreviewImage' },
    seeds: { '3.seed': '18446744073709551615' },
    leftOut: { outputs: ['12'], nodes: ['12'] },
  },
  state: 'completed',
  cancelling: false,
  createdAt: 1_000,
  startedAt: 2_000,
  endedAt: 9_000,
  nodes: {
    3: {
      nodeId: '3',
      state: 'finished',
      value: 1,
      max: 1,
      startedAt: 2_000,
      endedAt: 8_000,
      price: 1.5,
      priceAt: 8_000,
    },
    4: { nodeId: '4', state: 'cached', value: 1, max: 1 },
  },
  outputs: [
    {
      filename: 'a.bin',
      subfolder: 'deep/er',
      area: 'output',
      nodeId: '9',
      media: 'audio',
      displayName: 'Song',
    },
    { filename: 'b.png', subfolder: '', area: 'output', nodeId: '9', media: 'image', facts: { width: 4 } },
    { filename: 'c.png', subfolder: '', area: 'temp', nodeId: '12', media: 'image' },
  ],
  texts: [{ nodeId: '9', text: 'a word' }],
  notices: [{ text: 'Queued for execution', at: 1_500 }],
  blocked: [
    { nodeId: '12', nodeType: 'PreviewImage', exceptionType: 'Blocked', message: 'No image', traceback: [] },
  ],
};

/** As its record is read back after its end. */
function recorded(job: Job, notSaved?: NotSavedWhy): RunRecord {
  const { label = '', seeds = {}, sourceHash, promptHash, leftOut } = job.origin ?? {};
  const first = sendingRecord({
    server: job.server,
    label,
    seeds,
    sourceHash,
    promptHash,
    promptText,
    sentAt: 500,
  });
  const sent = submittedRecord(first, job.id, 900, leftOut);
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

describe('the job of a run, read back from its record', () => {
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
    const first = sendingRecord({ server: made.server, label: 'w.json', seeds: {}, sentAt: 0 });
    expect(jobOfRecord(first)).toBeUndefined();
    const running = { ...submittedRecord(first, 'job-1', 0), startedAt: '2026-01-15T12:00:00.000Z' };
    expect(jobOfRecord(running)?.state).toBe('pending');
  });
});

describe('a record', () => {
  it('keeps the end of a traceback that is too long', () => {
    const traceback = Array.from({ length: 200 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
    const failure = { exceptionType: 'Error', message: 'No memory', traceback };
    const lines = recorded({ ...made, state: 'failed', failure }).error?.traceback ?? [];
    expect(lines.at(-1)).toBe(traceback.at(-1));
    expect(lines.join('').length).toBeLessThanOrEqual(budgets.recordedTraceback);
    expect(lines.length).toBeGreaterThan(10);
  });
});

it('says of a run that was lost with its sandbox why', () => {
  const sent = sendingRecord({ server: made.server, label: 'w.json', seeds: {}, sentAt: 0 });
  const lost = lostRecord(submittedRecord(sent, 'job-1', 0), 'sandboxEnded');
  expect(jobOfRecord(lost)).toMatchObject({ state: 'lost', lostWhy: 'sandboxEnded' });
  expect(jobOfRecord({ ...lost, why: 'forgotten' })?.lostWhy).toBeUndefined();
});
