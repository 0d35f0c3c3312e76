import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { Transport } from '../../../src/core/client/transport';
import { onTestFinished } from 'vitest';
import { JobStore } from '../../../src/core/jobs/jobStore';
import type { RunChoices, RunSource } from '../../../src/core/runs/runChoices';
import { runWorkflow, type RunCallbacks, type RunOutcome } from '../../../src/core/runs/runWorkflow';
import { RunSession } from '../../../src/core/runLife/runSession';
import type { WorkPorts } from '../../../src/core/runLife/runWork';
import { portsInMemory } from '../runLife/followedRun';
import type { SandboxOptions } from '../../../src/sandbox/sandbox';
import { httpForTest, sandboxForTest } from '../../support/sandboxFixture';

export const picture = {
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
};
const never = new AbortController().signal;

/** A session with a sandbox; keeps posted bodies. */
export function sessionWith(sandbox: { readonly url: string }) {
  const store = new JobStore();
  const http = httpForTest();
  const bodies: string[] = [];
  const session = new RunSession({
    server: { id: 'test', name: 'Test', url: sandbox.url },
    transport: new Transport({
      baseUrl: sandbox.url,
      http: {
        ...http,
        fetch: (url, init) => {
          if (typeof init.body === 'string') bodies.push(init.body);
          return http.fetch(url, init);
        },
      },
      credential: () => Promise.resolve({ kind: 'apiKey', value: 'test-key' }),
    }),
    store,
  });
  onTestFinished(() => session.dispose());
  return { session, store, bodies };
}

/** A sandbox and a session with it. */
export async function sandboxSession(options: SandboxOptions = {}) {
  const sandbox = await sandboxForTest(options);
  return { sandbox, ...sessionWith(sandbox) };
}

/** Accepts everything, and records the questions. */
export function asksOf(
  more: Partial<RunCallbacks & WorkPorts> = {},
): RunCallbacks & WorkPorts & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    localMedia: () => Promise.resolve(undefined),
    mayUpload: (files) => {
      asked.push(`upload ${files.map(({ name }) => name).join()}`);
      return Promise.resolve(true);
    },
    maySpend: (nodes) => {
      asked.push(`spend ${nodes.map(({ classType }) => classType).join()}`);
      return Promise.resolve(true);
    },
    partnerKey: () => {
      asked.push('key');
      return Promise.resolve('partner-key');
    },
    ...portsInMemory({
      on: (event) => {
        if (event.kind === 'stage') asked.push(event.stage.kind);
      },
    }),
    ...more,
  };
}

export function run(
  session: RunSession,
  nodes: object | string,
  asks: RunCallbacks & WorkPorts,
  more: Partial<RunChoices & RunSource> = {},
  signal = never,
): Promise<RunOutcome> {
  const text = typeof nodes === 'string' ? nodes : JSON.stringify(nodes);
  const request = { workflow: WorkflowDocument.of(text), label: 'w.json', seeds: 'keep', ...more } as const;
  return runWorkflow(request, request, session, asks, asks, signal);
}
