import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { troubleWords, endState, sendingRecord, settledRecord } from '../../../src/core/records/recordSteps';
import { isOwed } from '../../../src/core/records/runRecord';

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
    const record = settledRecord(sent, missed, 'The disk is full.');
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
