import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { sendingRecord, settledRecord } from '../../../src/core/outputs/recordSteps';

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
