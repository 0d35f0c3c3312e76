import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { describe, expect, it } from 'vitest';
import type { NodeErrorMap } from '../../../src/core/protocol/nodeErrors';
import type { PreparedRun } from '../../../src/core/runs/preparedRun';
import { prepareRun } from '../../../src/core/runs/prepareRun';
import { runWorkflow } from '../../../src/core/runs/runWorkflow';
import { portsInMemory } from '../runLife/ports';
import { failureFindings, serverFindings } from '../../../src/core/runs/serverFindings';
import { sandboxForTest } from '../../support/sandboxFixture';
import { catalog } from './definitions';
import { sessionWith } from './runFixture';

/** A seed too large for a double, so that a lost digit is noticed. */
const graphText = `{
  "id": "a", "revision": 0, "last_node_id": 8, "last_link_id": 2,
  "nodes": [
    {"id": 7, "type": "Noise", "pos": [0, 0], "mode": 0,
     "inputs": [], "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [2]}],
     "widgets_values": [18446744073709551615, "fixed"]},
    {"id": 8, "type": "SaveImage", "pos": [0, 0], "mode": 0,
     "inputs": [{"name": "images", "type": "IMAGE", "link": 2}], "outputs": [],
     "widgets_values": ["shot"]}
  ],
  "links": [[2, 7, 0, 8, 0, "IMAGE"]],
  "groups": [], "config": {}, "extra": {}, "version": 0.4
}`;

function prepared(text = graphText, seeds: 'keep' | 'new' = 'keep'): PreparedRun {
  const source = { workflow: WorkflowDocument.of(text), label: 'g.json' };
  const run = prepareRun(source, { seeds }, { catalog }, () => 5n);
  if (run.kind === 'refused') throw new Error(run.message);
  return run;
}

function at(text: string, range: { offset: number; length: number } | undefined): string | undefined {
  return range && text.slice(range.offset, range.offset + range.length);
}

describe('a graph file that is run', () => {
  it('is compiled with every digit', () => {
    const { promptText, origin } = prepared();
    expect(promptText).toContain('18446744073709551615');
    expect(JSON.parse(promptText)).toMatchObject({
      7: { class_type: 'Noise' },
      8: { class_type: 'SaveImage', inputs: { images: ['7', 0], filename_prefix: 'shot' } },
    });
    expect(origin.seeds).toEqual({ '7.seed': '18446744073709551615' });
    expect(origin.nodeNames).toEqual({ 7: 'Noise', 8: 'SaveImage' });
  });

  it('has its new seeds in the prompt and in the graph that the pictures contain', () => {
    const run = prepared(graphText, 'new');
    expect(JSON.parse(run.promptText)).toMatchObject({ 7: { inputs: { seed: 5 } } });
    expect(run.workflowText).toBe(graphText.replace('18446744073709551615', '5'));
  });

  it('shows server errors at their place in the graph', () => {
    const run = prepared();
    const said = (errors: NodeErrorMap) => serverFindings(errors, run.places)[0];
    const error = (input?: string) => ({
      classType: 'SaveImage',
      errors: [
        {
          type: 'value_not_in_list',
          message: 'x',
          details: '',
          extraInfo: input === undefined ? {} : { input_name: input },
        },
      ],
      dependentOutputs: [],
    });
    expect(at(graphText, said({ 8: error('filename_prefix') }))).toBe('"shot"');
    expect(at(graphText, said({ 8: error('images') }))).toBe('[2, 7, 0, 8, 0, "IMAGE"]');
    expect(at(graphText, said({ 8: error() }))).toBe('"SaveImage"');
    const failure = { nodeId: '7', exceptionType: 'ValueError', message: 'no', traceback: [], executed: [] };
    expect(at(graphText, failureFindings(failure, run.places)[0])).toBe('"Noise"');
  });

  it('reaches the server with its graph for the pictures, and produces one', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const { session, bodies } = sessionWith(sandbox);
    const text = graphText
      .replace('"type": "Noise"', '"type": "EmptyImage"')
      .replace('[18446744073709551615, "fixed"]', '[16, 16, 1, 255]');
    const run = async (request: { text: string; workflowText?: string | undefined }) => {
      const outcome = await runWorkflow(
        {
          workflow: WorkflowDocument.of(request.text),
          workflowText: request.workflowText,
          label: 'g.json',
        },
        { seeds: 'keep' },
        session,
        {
          localMedia: () => Promise.resolve(undefined),
          mayUpload: () => Promise.resolve(true),
          maySpend: () => Promise.resolve(true),
          partnerKey: () => Promise.resolve(undefined),
        },
        portsInMemory(),
        new AbortController().signal,
      );
      if (outcome.kind !== 'submitted') throw new Error(JSON.stringify(outcome));
      const body = JSON.parse(bodies.at(-1) ?? '{}') as { extra_data?: { extra_pnginfo?: unknown } };
      expect(body.extra_data?.extra_pnginfo).toEqual({ workflow: JSON.parse(text) as unknown });
      expect(await session.tracker.finished(outcome.jobId)).toMatchObject({ state: 'completed' });
      return outcome;
    };
    const { jobId, run: sent } = await run({ text });
    const { promptText, workflowText } = sent;
    // Again, from what is stored here about a job, and from what the server reports about it.
    await run({ text: promptText, workflowText });
    const told = await session.sentTextsOf(jobId);
    expect(JSON.parse(told?.promptText ?? '')).toEqual(JSON.parse(promptText));
    await run({ text: told?.promptText ?? '', workflowText: told?.workflowText });
  });
});
