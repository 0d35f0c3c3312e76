import { encodePng } from '../drawing/picture';
import type { Picture } from '../drawing/picture';
import {
  ExecutionBlocker,
  type NodeContext,
  type NodeResult,
  type SandboxNode,
  type SandboxValue,
} from '../nodes/sandboxNode';
import type { CachedOutputs } from './executionCache';
import { nodeCalls, checkArguments, type InputLists } from './callInputs';
import type { RunPromptNodes } from './runOrder';
import type { RunRequest } from './runRequest';

export type CallResult = Omit<NodeResult, 'ui'>;

/** Long enough for a person to see a sampler's steps, and that a node runs at all. */
const humanStepMs = 75;
const humanNodeMs = 60;

export class NodeCalls {
  constructor(
    private readonly request: RunRequest,
    private readonly prompt: RunPromptNodes,
    private readonly progress: RunProgress,
    private readonly onBlocked: (block: { readonly nodeId: string; readonly message: string }) => void,
  ) {}

  async run(
    nodeId: string,
    node: SandboxNode,
    inputs: InputLists,
  ): Promise<{
    readonly calls: readonly CallResult[];
    readonly shown?: NonNullable<CachedOutputs['shown']>;
  }> {
    const declared = withoutHidden(inputs, node);
    const calls: CallResult[] = [];
    const records: NonNullable<NodeResult['ui']>[] = [];
    await this.#breathe(humanNodeMs);
    for (const [index, call] of nodeCalls(declared, node.definition.is_input_list).entries()) {
      this.request.signal.throwIfAborted();
      const blocker = Object.values(call)
        .flat()
        .find((value) => value instanceof ExecutionBlocker);
      if (blocker instanceof ExecutionBlocker) {
        calls.push(this.#blocked(nodeId, node, blocker));
        continue;
      }
      checkArguments(node, declared);
      const { ui, ...result } = await node.run(withDefaults(call, node), this.#context(nodeId, index));
      calls.push(result);
      if (ui !== undefined) records.push(ui);
    }
    const output = merged(records);
    if (output === undefined) return { calls };
    const place = this.prompt.place(nodeId);
    const meta = {
      node_id: nodeId,
      display_node: place.displayNodeId,
      parent_node: place.parentNodeId,
      real_node_id: place.realNodeId,
    };
    return { calls, shown: { output, meta } };
  }

  /** Reports a block once; nodes after it pass it on silently. */
  #blocked(nodeId: string, node: SandboxNode, blocker: ExecutionBlocker): CallResult {
    if (blocker.message !== null) this.onBlocked({ nodeId, message: blocker.message });
    return { outputs: node.definition.output.map(() => new ExecutionBlocker(null)) };
  }

  #context(nodeId: string, call: number): NodeContext {
    const { request } = this;
    let waiting: (() => Picture) | undefined;
    return {
      nodeId,
      promptText: request.promptText,
      extraPnginfo: request.extraPnginfo ?? {},
      partnerKey: request.partnerKey,
      signal: request.signal,
      files: request.files,
      expansionPrefix: `${nodeId}.${call}.0.`,
      random: () => Math.random(),
      preview: (draw) => {
        if (request.previews) waiting = draw;
      },
      text: (text, shownAt = nodeId) =>
        request.emit({ kind: 'text', promptId: request.promptId, nodeId: shownAt, text }),
      steps: async (value, max) => {
        request.signal.throwIfAborted();
        const draw = waiting;
        waiting = undefined;
        const image = draw && encodePng(draw());
        this.progress.update(nodeId, value, max);
        const { promptId } = request;
        if (image !== undefined) {
          request.emit({
            kind: 'preview',
            promptId,
            image,
            ...this.prompt.place(nodeId),
          });
        }
        request.emit({
          kind: 'message',
          type: 'progress',
          data: { value, max, prompt_id: promptId, node: nodeId },
        });
        await this.#breathe(humanStepMs);
      },
    };
  }

  /** Lets the server answer other requests, such as the one to cancel. */
  async #breathe(humanMs: number): Promise<void> {
    if (this.request.timing === 'human') await this.request.clock.sleep(humanMs, this.request.signal);
    else await new Promise<void>((resolve) => setImmediate(resolve));
    this.request.signal.throwIfAborted();
  }
}

function withoutHidden(inputs: InputLists, node: SandboxNode): InputLists {
  const hidden = node.definition.input.hidden ?? {};
  return new Map([...inputs].filter(([name]) => !Object.hasOwn(hidden, name)));
}

function withDefaults(
  call: Readonly<Record<string, SandboxValue>>,
  node: SandboxNode,
): Readonly<Record<string, SandboxValue>> {
  const defaults = Object.entries(node.definition.input.optional ?? {}).flatMap(([name, [, options]]) =>
    options?.['default'] === undefined ? [] : [[name, options['default']] as const],
  );
  return { ...Object.fromEntries(defaults), ...call };
}

function merged(
  records: readonly NonNullable<NodeResult['ui']>[],
): NonNullable<NodeResult['ui']> | undefined {
  const [first] = records;
  if (first === undefined || Object.keys(first).length === 0) return undefined;
  return Object.fromEntries(
    Object.keys(first).map((key) => [key, records.flatMap((record) => record[key] ?? [])]),
  );
}

interface NodeProgress {
  readonly value: number;
  readonly max: number;
  readonly state: 'running' | 'finished';
}

export class RunProgress {
  readonly #nodes = new Map<string, NodeProgress>();

  constructor(
    private readonly promptId: string,
    private readonly prompt: RunPromptNodes,
    private readonly emit: (data: Readonly<Record<string, unknown>>) => void,
  ) {}

  start(nodeId: string): void {
    this.#set(nodeId, { value: 0, max: 1, state: 'running' });
  }

  update(nodeId: string, value: number, max: number): void {
    this.#set(nodeId, { value, max, state: 'running' });
  }

  finish(nodeId: string): void {
    const max = this.#nodes.get(nodeId)?.max ?? 1;
    this.#set(nodeId, { value: max, max, state: 'finished' });
  }

  #set(nodeId: string, progress: NodeProgress): void {
    this.#nodes.set(nodeId, progress);
    const nodes = Object.fromEntries([...this.#nodes].map(([id, state]) => [id, this.#snapshot(id, state)]));
    this.emit({ prompt_id: this.promptId, nodes });
  }

  #snapshot(id: string, progress: NodeProgress): Readonly<Record<string, unknown>> {
    const place = this.prompt.place(id);
    return {
      value: progress.value,
      max: progress.max,
      state: progress.state,
      node_id: id,
      prompt_id: this.promptId,
      display_node_id: place.displayNodeId,
      parent_node_id: place.parentNodeId,
      real_node_id: place.realNodeId,
    };
  }
}
