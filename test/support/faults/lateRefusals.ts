import { randomUUID } from 'node:crypto';
import { type ExactObject, isExactObject } from '../../../src/core/json/exactValue';
import type { RunResult } from '../../../src/sandbox/execution/runRequest';
import type { SandboxJob } from '../../../src/sandbox/queue/sandboxJob';
import type { SandboxServer } from '../../../src/sandbox/sandboxServer';

/** Jobs that the server accepts and its worker refuses (protocol 1.5, late validation). */
export class LateRefusals {
  readonly #bodies = new Map<string, string>();

  constructor(private readonly server: SandboxServer) {}

  accept(members: ExactObject, body: string): string {
    const { queue, counter, now } = this.server;
    const prompt = members.get('prompt');
    const clientId = members.get('client_id');
    const id = randomUUID();
    this.#bodies.set(id, body);
    queue.submit({
      id,
      number: counter.take(undefined, false),
      prompt: isExactObject(prompt) ? prompt : new Map(),
      extraData: new Map(),
      clientId: typeof clientId === 'string' ? clientId : undefined,
      targets: [],
      previews: false,
      createTime: now(),
    });
    return id;
  }

  /** Refuses a prompt without problems that was accepted. */
  refuse(id: string, members: ExactObject): void {
    const error = {
      type: 'prompt_outputs_failed_validation',
      message: 'Prompt outputs failed validation',
      details: '',
      extra_info: {},
    };
    this.#bodies.set(id, JSON.stringify({ error, node_errors: madeUpNodeErrors(members) }));
  }

  /** The end of a job that is refused; undefined for any other. */
  end(job: SandboxJob): RunResult | undefined {
    const body = this.#bodies.get(job.id);
    if (body === undefined) return undefined;
    const stamp = { prompt_id: job.id, timestamp: this.server.now() };
    const failure = {
      node_id: '',
      node_type: '',
      executed: [],
      exception_message: `Failed to send prompt request: request returned error status 400: ${body}`,
      exception_type: 'ValidationError',
      traceback: [],
      current_inputs: {},
      current_outputs: {},
    };
    const messages = [
      ['execution_start', stamp],
      ['execution_error', { ...failure, ...stamp }],
    ] as const;
    for (const [type, data] of messages) this.server.sockets.send(job.clientId, { type, data });
    return { status: 'error', outputs: {}, meta: {}, messages };
  }
}

export function madeUpNodeErrors(members: ExactObject): object {
  const prompt = members.get('prompt');
  const [nodeId = '1', node] = (isExactObject(prompt) ? [...prompt] : [])[0] ?? [];
  const missing = {
    type: 'required_input_missing',
    message: 'Required input is missing',
    details: 'sandbox_input',
    extra_info: { input_name: 'sandbox_input' },
  };
  const class_type = isExactObject(node) ? node.get('class_type') : '';
  return { [nodeId]: { errors: [missing], dependent_outputs: [], class_type } };
}
