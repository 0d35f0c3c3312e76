import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePythonJson } from '../../src/core/json/boundedJson';
import { ExecutionCache } from '../../src/sandbox/execution/executionCache';
import { runPrompt } from '../../src/sandbox/execution/promptRun';
import { FileStore } from '../../src/sandbox/files/fileStore';
import { sandboxNodes } from '../../src/sandbox/nodes/nodeSet';
import type { SubmittedNode } from '../../src/sandbox/nodes/sandboxNode';

const corpus = process.env['COMFY_DECK_CORPUS'] ?? path.resolve('../shared/corpus');
const folder = path.join(corpus, 'transcripts/0.33.0');
const isThere = existsSync(folder);

interface Job {
  readonly id: string;
  readonly prompt: Record<string, SubmittedNode>;
  readonly promptText: string;
  readonly heard: readonly string[];
}

/** Jobs that the sandbox runs to their end like the real server did, message by message. */
describe.skipIf(!isThere)(
  `events of a run compared with the real server's${isThere ? '' : ' (skipped: no corpus)'}`,
  () => {
    it.each(['success', 'preview-metadata', 'media', 'unknown-inputs'])('%s', async (name) => {
      const jobs = recordedJobs(name);
      expect(jobs.length).toBeGreaterThan(0);
      const cache = new ExecutionCache();
      const files = new FileStore();
      for (const job of jobs) expect(await messagesOf(job, cache, files)).toEqual(job.heard);
    });
  },
);

/** One line of a transcript, reduced to runs. */
interface Line {
  readonly ev?: string;
  readonly path?: string;
  readonly status?: number;
  readonly request?: { readonly prompt?: Record<string, SubmittedNode> };
  readonly body?: { readonly prompt_id?: string };
  readonly msg?: { readonly type: string; readonly data?: Readonly<Record<string, unknown>> };
}

function recordedJobs(name: string): readonly Job[] {
  const prompts = new Map<string, Pick<Job, 'prompt' | 'promptText'>>();
  const heard = new Map<string, string[]>();
  const texts = readFileSync(path.join(folder, `${name}.ndjson`), 'utf8').split('\n');
  for (const text of texts.filter((line) => line !== '')) {
    const { ev, path: route, status, request, body, msg } = parsePythonJson(text) as Line;
    if (ev === 'http' && route === '/prompt' && status === 200 && body?.prompt_id !== undefined) {
      const promptText = /"request": \{"prompt": (\{.*?\}\}), "client_id"/.exec(text)?.[1] ?? '';
      prompts.set(body.prompt_id, { prompt: request?.prompt ?? {}, promptText });
    }
    const id = msg?.data?.['prompt_id'];
    if (ev !== 'ws' || typeof id !== 'string' || msg?.data === undefined) continue;
    // The last message of a job comes from the server, not from the run.
    if (msg.type === 'executing' && msg.data['node'] === null) continue;
    heard.set(id, [...(heard.get(id) ?? []), brief(msg.type, msg.data)]);
  }
  const nodes = sandboxNodes();
  return [...prompts]
    .filter(([, { prompt }]) => Object.values(prompt).every((node) => nodes.has(node.class_type)))
    .map(([id, prompt]) => ({ id, ...prompt, heard: heard.get(id) ?? [] }));
}

/**
 * What must match; names of temporary files and texts of tensors differ from run to run, and this server did not tell
 * the sizes of pictures yet.
 */
function brief(type: string, data: Readonly<Record<string, unknown>>): string {
  const { nodes, output } = data;
  const told = ['node', 'value', 'node_id', 'exception_type', 'exception_message', 'executed'].map(
    (key) => data[key],
  );
  const shown = [nodes === undefined ? undefined : statesOf(nodes), output];
  // For servers as old as the recorded one, the server leaves this out after the run (protocol 3.5).
  const text = JSON.stringify([type, ...told, ...shown], (key, value: unknown) =>
    key === 'metadata' ? undefined : value,
  );
  return text.replace(/temp_[a-z]{5}/g, 'temp').replace(/"text":\["tensor.*?"\]/s, '"text":[]');
}

function statesOf(nodes: unknown): unknown {
  if (Array.isArray(nodes)) return nodes;
  return Object.fromEntries(
    Object.entries(nodes as Record<string, { state: string; value: number; max: number }>)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { state, value, max }]) => [id, `${state} ${value}/${max}`]),
  );
}

async function messagesOf(job: Job, cache: ExecutionCache, files: FileStore): Promise<readonly string[]> {
  const nodes = sandboxNodes();
  const said: string[] = [];
  const outputs = Object.keys(job.prompt).filter((id) => {
    return nodes.get(job.prompt[id]?.class_type ?? '')?.definition.output_node === true;
  });
  await runPrompt({
    promptId: job.id,
    prompt: job.prompt,
    promptText: job.promptText,
    targets: outputs,
    nodes,
    cache,
    files,
    signal: new AbortController().signal,
    emit: (event) => {
      if (event.kind === 'message') said.push(brief(event.type, event.data));
    },
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    timing: 'fast',
    previews: true,
  });
  return said;
}
