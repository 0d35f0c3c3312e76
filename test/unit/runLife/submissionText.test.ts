import { expect, it } from 'vitest';
import { prepareRun } from '../../../src/core/runs/prepareRun';
import { runToSendFrom } from '../../../src/core/runs/runWorkflow';
import { submissionText } from '../../../src/core/runLife/submitOnce';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const promptText = '{"3":{"class_type":"KSampler","inputs":{"seed": 18446744073709551615,"cfg":7.0}}}';
const workflowText = '{"nodes": [], "seed": 18446744073709551615}';
const source = { workflow: WorkflowDocument.of(promptText), label: 'w.json', workflowText };
const prepared = prepareRun(source, { seeds: 'keep', targets: ['3'] }, {});
if (prepared.kind === 'refused') throw new Error(prepared.message);
const { promptId } = prepared;
const run = runToSendFrom(prepared);

function read(text: string): unknown {
  expect(text).toContain(`"prompt":${promptText}`);
  return JSON.parse(text);
}

it('a submission carries the texts as they are, and what goes along', () => {
  const text = submissionText({ ...run, partnerKey: 'test-key' }, 'c', true);
  expect(text).toContain(`"workflow":${workflowText}`);
  expect(read(text)).toMatchObject({
    client_id: 'c',
    prompt_id: promptId,
    partial_execution_targets: ['3'],
    extra_data: {
      preview_method: 'auto',
      comfy_deck_run: promptId,
      api_key_comfy_org: 'test-key',
      extra_pnginfo: { workflow: { nodes: [] } },
    },
  });
});

it('a submission to the cloud carries no prompt id, and to nobody a key that was not given', () => {
  expect(read(submissionText({ ...run, workflowText: undefined }, 'c', false))).toEqual({
    client_id: 'c',
    partial_execution_targets: ['3'],
    extra_data: { comfy_deck_run: promptId },
    prompt: expect.anything() as unknown,
  });
});

it('a submission of a whole workflow names no outputs', () => {
  expect(read(submissionText({ ...run, targets: [] }, 'c', true))).not.toHaveProperty(
    'partial_execution_targets',
  );
});

it('a submission that is to run next says so to a local server alone', () => {
  const next = { ...run, next: true };
  expect(read(submissionText(next, 'c', true))).toMatchObject({ front: true });
  expect(read(submissionText(next, 'c', false))).not.toHaveProperty('front');
  expect(read(submissionText(run, 'c', true))).not.toHaveProperty('front');
});
