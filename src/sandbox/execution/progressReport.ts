import type { RunPromptNodes } from './runPromptNodes';

interface NodeProgress {
  readonly value: number;
  readonly max: number;
  readonly state: 'running' | 'finished';
}

/** The progress of each node of a run, except those that have not started (protocol 3.3, `progress_state`). */
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
