import { exactFrom } from '../../../src/core/json/exactValue';
import { writeExact } from '../../../src/core/json/exactWriter';
import { ExecutionCache } from '../../../src/sandbox/execution/executionCache';
import type { SandboxRunEvent, RunResult, RunRequest } from '../../../src/sandbox/execution/runRequest';
import { runPrompt } from '../../../src/sandbox/execution/promptRun';
import { FileStore } from '../../../src/sandbox/files/fileStore';
import { sandboxNodes } from '../../../src/sandbox/nodes/nodeSet';
import type { SubmittedNode, PromptNodes } from '../../../src/sandbox/nodes/sandboxNode';

export interface Tried {
  readonly result: RunResult;
  readonly events: readonly SandboxRunEvent[];
  readonly files: FileStore;
}

/** A node of a prompt. */
export function node(classType: string, inputs: Readonly<Record<string, unknown>> = {}): SubmittedNode {
  return { class_type: classType, inputs };
}

/** A small red picture. */
export const redPicture = node('EmptyImage', { width: 16, height: 8, batch_size: 1, color: 0xff0000 });

/** Runs a prompt without a server, as fast as possible; output nodes are the targets by default. */
export async function tryRun(prompt: PromptNodes, options: Partial<RunRequest> = {}): Promise<Tried> {
  const nodes = options.nodes ?? sandboxNodes();
  const files = new FileStore();
  const events: SandboxRunEvent[] = [];
  const result = await runPrompt({
    promptId: 'job',
    prompt,
    promptText: writeExact(exactFrom(prompt)),
    targets: Object.keys(prompt).filter((id) => {
      return nodes.get(prompt[id]?.class_type ?? '')?.definition.output_node === true;
    }),
    nodes,
    cache: new ExecutionCache(),
    files,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    timing: 'fast',
    previews: false,
    ...options,
  });
  return { result, events, files: options.files instanceof FileStore ? options.files : files };
}

/** The data of all messages of a type. */
export function messages(tried: Tried, type: string): readonly Readonly<Record<string, unknown>>[] {
  return tried.events.flatMap((event) =>
    event.kind === 'message' && event.type === type ? [event.data] : [],
  );
}

/** Ids of the nodes that ran, in order. */
export function ranNodes(tried: Tried): readonly unknown[] {
  return messages(tried, 'executing').map((data) => data['node']);
}

/** The failure that ended the run. */
export function failure(tried: Tried): Readonly<Record<string, unknown>> {
  const [type, data] = tried.result.messages.at(-1) ?? [];
  if (type !== 'execution_error' || data === undefined) throw new Error(`The run ended with ${String(type)}`);
  return data;
}
