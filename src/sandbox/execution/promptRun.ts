import type { SubmittedNode, SandboxNode, SandboxValue } from '../nodes/sandboxNode';
import { CacheKeys, type CachedOutputs } from './executionCache';
import {
  ExecutionOrder,
  MissingNodeError,
  unrollLoop,
  inFileOrder,
  isLinkValue,
  RunPromptNodes,
} from './runOrder';
import { type CallResult, NodeCalls, RunProgress } from './nodeCalls';
import {
  atSlot,
  type InputLists,
  inputSpec,
  plainInput,
  nodeFailure,
  loopFailure,
  type RunFailure,
} from './callInputs';
import { sandboxRepr } from '../nodes/pythonText';
import type { HistoryMessage, RunResult, RunRequest } from './runRequest';

type Ending =
  { readonly kind: 'success' } | { readonly kind: 'interrupted'; readonly nodeId: string } | Failed;
interface Failed {
  readonly kind: 'error';
  readonly failure: RunFailure;
}

/** Runs the nodes and sends the client its messages (protocol 3.3). */
class PromptRun {
  readonly #prompt: RunPromptNodes;
  readonly #keys: CacheKeys;
  readonly #order: ExecutionOrder;
  readonly #progress: RunProgress;
  readonly #calls: NodeCalls;
  readonly #executed = new Set<string>();
  readonly #messages: HistoryMessage[] = [];
  readonly #shown = new Map<string, NonNullable<CachedOutputs['shown']>>();
  /** Expanded nodes with what their calls returned, until their replacements are done. */
  readonly #expanded = new Map<string, readonly CallResult[]>();
  /** Results that a run took from the cache stay here, whatever the cache drops meanwhile. */
  readonly #results = new Map<string, CachedOutputs>();

  constructor(private readonly request: RunRequest) {
    this.#prompt = new RunPromptNodes(inFileOrder(request.prompt, request.promptText));
    this.#keys = new CacheKeys(this.#prompt, request.nodes, request.files);
    this.#progress = new RunProgress(request.promptId, this.#prompt, (data) =>
      this.#send('progress_state', data),
    );
    this.#calls = new NodeCalls(request, this.#prompt, this.#progress, (block) => this.#reportBlock(block));
    this.#order = new ExecutionOrder(this.#prompt, {
      isCached: (id) => this.#outputsOf(id) !== undefined,
      isOutput: (id) => this.#nodeClass(id)?.definition.output_node === true,
      isLazy: (id, name) => this.#isLazy(id, name),
    });
  }

  async run(): Promise<RunResult> {
    const { promptId } = this.request;
    this.#record('execution_start', { prompt_id: promptId });
    const cached = this.#prompt.ids.filter((id) => this.#outputsOf(id) !== undefined);
    this.#record('execution_cached', { nodes: cached, prompt_id: promptId });
    const ending = await this.#runNodes();
    switch (ending.kind) {
      case 'success':
        this.#record('execution_success', { prompt_id: promptId });
        break;
      case 'interrupted':
        this.#record('execution_interrupted', this.#endData(ending.nodeId));
        break;
      case 'error':
        this.#record('execution_error', {
          ...this.#endData(ending.failure.nodeId),
          exception_message: ending.failure.message,
          exception_type: ending.failure.exceptionType,
          traceback: ending.failure.traceback,
          current_inputs: ending.failure.currentInputs,
          current_outputs: this.#prompt.ids,
        });
    }
    return {
      status: ending.kind,
      outputs: Object.fromEntries([...this.#shown].map(([id, { output }]) => [id, output])),
      meta: Object.fromEntries([...this.#shown].map(([id, { meta }]) => [id, meta])),
      messages: this.#messages,
    };
  }

  async #runNodes(): Promise<Ending> {
    try {
      for (const target of this.request.targets) this.#order.add(target);
    } catch (error) {
      return this.#missingNode(error, this.request.targets[0] ?? '');
    }
    while (!this.#order.isEmpty) {
      const nodeId = this.#order.next();
      if (nodeId === undefined) {
        return { kind: 'error', failure: loopFailure(this.#order.blamedForLoop()) };
      }
      const ending = await this.#runNode(nodeId);
      if (ending !== undefined) return ending;
    }
    return { kind: 'success' };
  }

  /** Undefined: the node is done, or waits for other nodes. */
  async #runNode(nodeId: string): Promise<Ending | undefined> {
    const cached = this.#outputsOf(nodeId);
    if (cached !== undefined) {
      this.#showCached(nodeId, cached);
      return undefined;
    }
    const node = this.#prompt.get(nodeId);
    const nodeClass = this.#nodeClass(nodeId);
    let inputs: InputLists = new Map();
    try {
      if (node === undefined) throw new MissingNodeError(nodeId);
      if (nodeClass === undefined) throw new Error(`Node class ${node.class_type} is not known`);
      const results = this.#expanded.get(nodeId);
      if (results !== undefined) {
        this.#finish(nodeId, this.#resolve(results, nodeClass), undefined);
        return undefined;
      }
      this.#progress.start(nodeId);
      const place = this.#prompt.place(nodeId);
      this.#send('executing', {
        node: nodeId,
        display_node: place.displayNodeId,
        prompt_id: this.request.promptId,
      });
      inputs = this.#gather(nodeId, node, nodeClass);
      if (this.#waitForLazy(nodeId, node, nodeClass, inputs)) return undefined;
      const { calls, shown } = await this.#calls.run(nodeId, nodeClass, inputs);
      if (shown !== undefined) this.#show(nodeId, shown);
      if (this.#expand(nodeId, calls)) return undefined;
      this.#finish(nodeId, this.#resolve(calls, nodeClass), shown);
      return undefined;
    } catch (error) {
      if (this.request.signal.aborted)
        return { kind: 'interrupted', nodeId: this.#prompt.place(nodeId).realNodeId };
      if (error instanceof MissingNodeError) return this.#missingNode(error, nodeId);
      const realId = this.#prompt.place(nodeId).realNodeId;
      return { kind: 'error', failure: nodeFailure(error, realId, node?.class_type ?? '', inputs) };
    }
  }

  async #missingNode(error: unknown, nodeId: string): Promise<Ending> {
    // This kills the real server's worker: the run never ends, not even by cancelling (protocol 7.2).
    if (this.request.missingNode === 'hang') await new Promise<never>(() => undefined);
    return {
      kind: 'error',
      failure: nodeFailure(error, nodeId, this.#prompt.get(nodeId)?.class_type ?? '', new Map()),
    };
  }

  /** Leaves out literals of unknown inputs, but not links. */
  #gather(nodeId: string, node: SubmittedNode, nodeClass: SandboxNode): InputLists {
    const inputs = new Map<string, readonly SandboxValue[]>();
    for (const [name, value] of Object.entries(node.inputs)) {
      const spec = inputSpec(nodeClass.definition, name);
      if (isLinkValue(value)) {
        const source = this.#outputsOf(value[0]);
        if (source !== undefined) inputs.set(name, atSlot(source.slots, value[1]));
        else if (!this.#isLazy(nodeId, name)) throw new MissingNodeError(value[0]);
      } else if (spec !== undefined) {
        inputs.set(name, [plainInput(value, spec)]);
      }
    }
    for (const [name, kind] of Object.entries(nodeClass.definition.input.hidden ?? {})) {
      if (kind === 'PROMPT') inputs.set(name, [sandboxRepr(this.request.prompt)]);
      if (kind === 'EXTRA_PNGINFO') inputs.set(name, [this.request.extraPnginfo ?? null]);
    }
    return inputs;
  }

  /** True if skipped inputs are needed after all: the node waits for them. */
  #waitForLazy(nodeId: string, node: SubmittedNode, nodeClass: SandboxNode, inputs: InputLists): boolean {
    if (nodeClass.needs === undefined) return false;
    const known = Object.fromEntries([...inputs].map(([name, values]) => [name, values[0]]));
    let waits = false;
    for (const name of nodeClass.needs(known)) {
      const link = node.inputs[name];
      if (inputs.has(name) || !isLinkValue(link)) continue;
      this.#order.addLink(link[0], link[1], nodeId);
      waits = true;
    }
    return waits;
  }

  /** True if the node waits for those that replace it. */
  #expand(nodeId: string, calls: readonly CallResult[]): boolean {
    const iterations = calls[0]?.iterations;
    if (iterations !== undefined) {
      this.#expanded.set(nodeId, calls);
      this.#unroll(nodeId, iterations);
      return true;
    }
    const expansions = calls.flatMap((call) => (call.expand === undefined ? [] : [call.expand]));
    if (expansions.length === 0) return false;
    this.#expanded.set(nodeId, calls);
    const outputNodes: string[] = [];
    for (const { nodes } of expansions) {
      for (const [id, node] of Object.entries(nodes)) {
        this.#prompt.addExpanded(id, node, nodeId);
        if (this.#nodeClass(id)?.definition.output_node === true) outputNodes.push(id);
      }
    }
    for (const id of outputNodes) this.#order.add(id);
    for (const link of expansions.flatMap(({ outputs }) => outputs).filter(isLinkValue)) {
      this.#order.addLink(link[0], link[1], nodeId);
    }
    return true;
  }

  /** The nodes that start and end a loop wait for its last iteration. */
  #unroll(startId: string, iterations: NonNullable<CallResult['iterations']>): void {
    const loop = unrollLoop(this.#prompt, startId, iterations);
    const end = loop && this.#prompt.get(loop.end);
    if (!loop || !end) return;
    for (const { id, node, shownAt } of loop.nodes) this.#prompt.addExpanded(id, node, startId, shownAt);
    for (const id of loop.body) this.#order.complete(id);
    const { accumulate } = end.inputs;
    this.#prompt.replace(loop.end, { ...end, inputs: { accumulate, output_value: [loop.result, 0] } });
    this.#order.add(loop.end);
    // The node that starts the loop ends after it, too.
    for (const id of [loop.end, startId]) this.#order.addLink(loop.result, 0, id);
    for (const { id } of loop.nodes)
      if (this.#nodeClass(id)?.definition.output_node === true) this.#order.add(id);
  }

  #resolve(calls: readonly CallResult[], nodeClass: SandboxNode): readonly (readonly SandboxValue[])[] {
    return nodeClass.definition.output_is_list.map((isList, slot) =>
      calls.flatMap((call) => {
        const value = (call.expand?.outputs ?? call.outputs)[slot];
        if (call.expand !== undefined && isLinkValue(value)) {
          return atSlot(this.#outputsOf(value[0])?.slots ?? [], value[1]);
        }
        return isList && Array.isArray(value) ? (value as readonly SandboxValue[]) : [value];
      }),
    );
  }

  #finish(nodeId: string, slots: CachedOutputs['slots'], shown: CachedOutputs['shown']): void {
    // If a node lacks a slot that another one needs, the run ends here, at the node that lacks it.
    for (const slot of this.#order.wantedSlots(nodeId)) atSlot(slots, slot);
    const outputs = { slots, shown };
    this.#results.set(nodeId, outputs);
    this.request.cache.set(this.#keys.of(nodeId), outputs);
    this.#expanded.delete(nodeId);
    this.#progress.finish(nodeId);
    this.#executed.add(nodeId);
    this.#order.complete(nodeId);
  }

  #showCached(nodeId: string, cached: CachedOutputs): void {
    this.#show(nodeId, cached.shown);
    this.#progress.finish(nodeId);
    this.#order.complete(nodeId);
  }

  #show(nodeId: string, shown: CachedOutputs['shown']): void {
    if (shown !== undefined) this.#shown.set(nodeId, shown);
    this.#send('executed', {
      node: nodeId,
      display_node: this.#prompt.place(nodeId).displayNodeId,
      output: shown?.output ?? null,
      prompt_id: this.request.promptId,
    });
  }

  /** A blocked branch doesn't end the run, and the history doesn't mention it (protocol 3.4). */
  #reportBlock(block: { readonly nodeId: string; readonly message: string }): void {
    this.#send('execution_error', {
      ...this.#endData(block.nodeId),
      exception_message: `Execution Blocked: ${block.message}`,
      exception_type: 'ExecutionBlocked',
      traceback: [],
      current_inputs: [],
      current_outputs: [],
    });
  }

  #endData(nodeId: string): Readonly<Record<string, unknown>> {
    return {
      prompt_id: this.request.promptId,
      node_id: nodeId,
      node_type: this.#prompt.get(nodeId)?.class_type ?? null,
      executed: [...this.#executed],
    };
  }

  #outputsOf(nodeId: string): CachedOutputs | undefined {
    const here = this.#results.get(nodeId);
    if (here !== undefined || this.#prompt.get(nodeId) === undefined) return here;
    const found = this.request.cache.get(this.#keys.of(nodeId));
    if (found !== undefined) this.#results.set(nodeId, found);
    return found;
  }

  #nodeClass(nodeId: string): SandboxNode | undefined {
    const classType = this.#prompt.get(nodeId)?.class_type;
    return classType === undefined ? undefined : this.request.nodes.get(classType);
  }

  #isLazy(nodeId: string, inputName: string): boolean {
    const definition = this.#nodeClass(nodeId)?.definition;
    return definition !== undefined && inputSpec(definition, inputName)?.[1]?.['lazy'] === true;
  }

  #record(type: string, data: Readonly<Record<string, unknown>>): void {
    const stamped = { ...data, timestamp: this.request.clock.now() };
    this.#messages.push([type, stamped]);
    this.#send(type, stamped);
  }

  #send(type: string, data: Readonly<Record<string, unknown>>): void {
    this.request.emit({ kind: 'message', type, data });
  }
}

/** Never rejects because of the prompt: failures of nodes are results. */
export function runPrompt(request: RunRequest): Promise<RunResult> {
  return new PromptRun(request).run();
}
