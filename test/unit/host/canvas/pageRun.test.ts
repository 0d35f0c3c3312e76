import { type TextDocument, Uri } from 'vscode';
import { describe, expect, it, vi } from 'vitest';
import type { RunSession } from '../../../../src/core/runLife/runSession';
import type { RunOutcome } from '../../../../src/core/runs/runWorkflow';
import { BoundCanvas, type CanvasPlace } from '../../../../src/host/canvas/boundCanvas';
import type { CanvasServers } from '../../../../src/host/canvas/canvasServers';
import { readPagePrompt, runPagePrompt } from '../../../../src/host/canvas/pageRun';
import type { Platform } from '../../../../src/host/platform/platform';
import type { Consent } from '../../../../src/host/runs/consent';
import { Runs } from '../../../../src/host/runs/runs';
import type { WindowRuns } from '../../../../src/host/runs/windowRuns';

const prompt =
  '{"3":{"inputs":{"seed":18446744073709551615,"cfg":8.0},"class_type":"KSampler","_meta":{"title":"K"}}}';
const graph = '{"nodes":[],"extra":{"own":1.0}}';
const body = `{"client_id":"page","prompt":${prompt},"front":true,"partial_execution_targets":["3"],"extra_data":{"extra_pnginfo":{"workflow":${graph}}}}`;

describe('the prompt of a ComfyUI page', () => {
  it('is taken as it is written, with the page as the one who gets the events', () => {
    const read = readPagePrompt(body);
    expect([read?.workflow.text, read?.workflowText]).toEqual([prompt, graph]);
    expect(read?.choices).toMatchObject({ seeds: 'keep', next: true, targets: ['3'], clientId: 'page' });
  });

  it('is none without a prompt', () => {
    for (const text of ['', '[]', '{}', '{"prompt":1}', '{"prompt":{}']) {
      expect(readPagePrompt(text)?.workflow.text ?? 'none').toMatch(/^none$|^\{\}$/);
    }
  });
});

describe('a run of a ComfyUI page', () => {
  it('that was not sent ends those that wait for it, and says why', async () => {
    const text = '{"nodes":[{"id":1,"type":"Note","pos":[0,0]}],"links":[],"version":0.4}';
    const document = { uri: Uri.file('/fox.json'), getText: () => text, version: 1 } as TextDocument;
    const server = { name: 'Home', origin: 'http://127.0.0.1:8188' };
    const open = () => Promise.resolve({ address: 'http://127.0.0.1:1', server, close: () => true });
    const underWayUntil = vi.fn((_: Uri, sent: Promise<unknown>) => sent);
    const runs = { underWayUntil, servers: { sessionOf: () => Promise.resolve(undefined) } };
    const showWords = vi.fn();
    const canvas = new BoundCanvas(
      ...[document, {} as Platform, { open } as unknown as CanvasServers],
      ...[runs as unknown as Runs, { kind: 'frame', showWords } as unknown as CanvasPlace],
    );
    await canvas.open();
    // What was said before is over.
    expect(showWords.mock.calls).toEqual([[undefined]]);
    const answer = await canvas.run(body);
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([
      400,
      expect.stringContaining('has been removed'),
    ]);
    expect(await underWayUntil.mock.results[0]?.value).toBeUndefined();
    canvas.close();
    canvas.dispose();
  });

  it('is under way from before the edits of the page are written', async () => {
    const document = { uri: Uri.file('/fox.json'), getText: () => graph } as TextDocument;
    const underWay: string[] = [];
    const underWayUntil = (uri: Uri, sent: Promise<unknown>): Promise<unknown> => {
      underWay.push(uri.path);
      return sent;
    };
    const canvas = new BoundCanvas(
      ...[document, {} as Platform, {} as CanvasServers],
      ...[{ underWayUntil } as unknown as Runs, { kind: 'browser' } as CanvasPlace],
    );
    const answer = canvas.run(body);
    expect(underWay).toEqual(['/fox.json']);
    await expect(answer).rejects.toThrow('closed');
    canvas.dispose();
  });

  it('leaves the run under way that the window is sending', async () => {
    const platform = { own: (each: unknown) => each } as Platform;
    const runs = new Runs(platform, {} as WindowRuns, {} as Consent);
    const uri = Uri.file('/fox.json');
    let send: (jobId: string) => void = () => undefined;
    const sending = new Promise<string>((resolve) => (send = resolve));
    const ours = runs.underWayUntil(uri, sending);
    await runs.underWayUntil(uri, Promise.resolve('page'));
    expect(runs.isUnderWay(uri)).toBe(true);
    send('window');
    await ours;
    expect(runs.isUnderWay(uri)).toBe(false);
  });
});

describe('the answer to a ComfyUI page', () => {
  const answerTo = async (outcome: object | Error | undefined): Promise<unknown> => {
    const sendPrompt = (): Promise<RunOutcome | undefined> =>
      outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome as RunOutcome);
    const runs = { sendPrompt } as unknown as Runs;
    const file = { getText: () => '', uri: { path: '/fox.json' } } as TextDocument;
    const { status, body: sent } = await runPagePrompt(runs, body, {} as RunSession, file, false);
    return [status, JSON.parse(Buffer.from(sent).toString())];
  };
  const nodeErrors = {
    '3': {
      classType: 'KSampler',
      errors: [{ type: 'value_too_big', message: 'Too big', details: 'cfg', extraInfo: { a: 1 } }],
      dependentOutputs: ['9'],
    },
  };
  const wire = {
    '3': {
      class_type: 'KSampler',
      errors: [{ type: 'value_too_big', message: 'Too big', details: 'cfg', extra_info: { a: 1 } }],
      dependent_outputs: ['9'],
    },
  };

  it('is that of a server', async () => {
    expect(await answerTo({ kind: 'submitted', jobId: 'a', nodeErrors })).toEqual([
      undefined,
      { prompt_id: 'a', number: 0, node_errors: wire },
    ]);
    const error = { type: 'prompt_outputs_failed_validation', message: 'No.' };
    expect(await answerTo({ kind: 'refusedByServer', error, nodeErrors })).toEqual([
      400,
      { error: { ...error, details: '', extra_info: {} }, node_errors: wire },
    ]);
  });

  it('says why nothing was sent', async () => {
    for (const [outcome, words] of [
      [{ kind: 'declined', what: 'spending' }, /partner nodes/],
      [{ kind: 'refused', message: 'No.', nextAction: 'Go.' }, /^No\. Go\.$/],
      [{ kind: 'unknown', error: new Error('lost') }, /lost/],
      [new Error('gone'), /gone/],
    ] as const) {
      expect(await answerTo(outcome)).toMatchObject([
        400,
        { error: { message: expect.stringMatching(words) as string }, node_errors: {} },
      ]);
    }
  });
});
