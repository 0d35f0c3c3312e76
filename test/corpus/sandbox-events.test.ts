import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLooseJson } from '../../src/core/json/looseJson';
import { ExecutionCache } from '../../src/sandbox/execution/executionCache';
import { runPrompt } from '../../src/sandbox/execution/runPrompt';
import { MemoryFiles } from '../../src/sandbox/media/sandboxFiles';
import { sandboxNodes } from '../../src/sandbox/nodes/nodeSet';
import type { PromptNode } from '../../src/sandbox/nodes/sandboxNode';

const corpus = process.env['COMFY_DECK_CORPUS'] ?? path.resolve('../shared/corpus');
const folder = path.join(corpus, 'transcripts/0.33.0');
const isThere = existsSync(folder);

interface Job {
  readonly id: string;
  readonly prompt: Record<string, PromptNode>;
  readonly promptText: string;
  readonly number: number;
  readonly heard: string[];
}

/** Jobs that the sandbox runs to their end as the real server did, message by message. */
describe.skipIf(!isThere)(
  `events of a run beside the real server's${isThere ? '' : ' (skipped: no corpus)'}`,
  () => {
    it.each(['success', 'preview-metadata', 'media', 'unknown-inputs'])('%s', async (name) => {
      const jobs = recordedJobs(name);
      expect(jobs.length).toBeGreaterThan(0);
      const cache = new ExecutionCache();
      const files = new MemoryFiles();
      for (const job of jobs) expect(await messagesOf(job, cache, files)).toEqual(job.heard);
    });
  },
);

function recordedJobs(name: string): readonly Job[] {
  const jobs = new Map<string, Job>();
  const lines = readFileSync(path.join(folder, `${name}.ndjson`), 'utf8').split('\n');
  for (const line of lines.filter((text) => text !== '')) {
    const event = parseLooseJson(line) as Record<string, never>;
    const id = promptIdOf(event);
    const request = event['request'] as { prompt: Record<string, PromptNode> } | undefined;
    if (
      event['ev'] === 'http' &&
      event['path'] === '/prompt' &&
      event['status'] === 200 &&
      id !== undefined
    ) {
      const text = /"request": \{"prompt": (\{.*?\}\}), "client_id"/.exec(line)?.[1] ?? '';
      const prompt = request?.prompt ?? {};
      jobs.set(id, { id, prompt, promptText: text, number: jobs.size, heard: jobs.get(id)?.heard ?? [] });
    }
    const message = event['msg'] as { type: string; data: Record<string, unknown> } | undefined;
    if (event['ev'] === 'ws' && message !== undefined && id !== undefined) {
      if (message.type === 'executing' && message.data['node'] === null) continue;
      const text = brief(message.type, message.data);
      if (!jobs.has(id)) jobs.set(id, { id, prompt: {}, promptText: '', number: 0, heard: [] });
      jobs.get(id)?.heard.push(text);
    }
  }
  const nodes = sandboxNodes();
  const isKnown = (job: Job): boolean =>
    Object.values(job.prompt).every((node) => nodes.has(node.class_type));
  return [...jobs.values()].filter((job) => Object.keys(job.prompt).length > 0 && isKnown(job));
}

function promptIdOf(event: Record<string, unknown>): string | undefined {
  const holders = [event['body'], (event['msg'] as { data?: unknown } | undefined)?.data];
  const holder = holders.find((value) => typeof value === 'object' && value !== null && 'prompt_id' in value);
  return (holder as { prompt_id: string } | undefined)?.prompt_id;
}

/** What has to be alike; names of temporary files and texts of tensors differ from run to run. */
function brief(type: string, data: Readonly<Record<string, unknown>>): string {
  const parts = [type, data['node'], data['value'], data['nodes'] && JSON.stringify(statesOf(data['nodes']))];
  const output = JSON.stringify(data['output'])
    ?.replace(/temp_[a-z]{5}/g, 'temp')
    .replace(/"text":\[.*?"\]/s, 'text');
  const failed = [data['node_id'], data['exception_type'], data['exception_message'], data['executed']];
  return [...parts, output, ...failed.map((value) => JSON.stringify(value))]
    .filter((part) => part !== undefined)
    .join(' ');
}

function statesOf(nodes: unknown): unknown {
  if (Array.isArray(nodes)) return nodes;
  return Object.fromEntries(
    Object.entries(nodes as Record<string, { state: string; value: number; max: number }>)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { state, value, max }]) => [id, `${state} ${value}/${max}`]),
  );
}

async function messagesOf(job: Job, cache: ExecutionCache, files: MemoryFiles): Promise<readonly string[]> {
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
