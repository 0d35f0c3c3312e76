import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import type { Catalog } from '../../src/core/catalog/catalog';
import type { Capabilities } from '../../src/core/client/capabilities';
import { readHistory } from '../../src/core/client/jobReading';
import type { JobDetail } from '../../src/core/protocol/jobRecord';
import type { ExecutionClient } from '../../src/core/client/execution';
import { MusicClient, musicCredential } from '../../src/core/client/music/musicClient';
import type { SubmissionAnswer } from '../../src/core/client/submission';
import { Transport } from '../../src/core/client/transport';
import type { Credential } from '../../src/core/client/credential';
import type { Job } from '../../src/core/jobs/job';
import { isTerminal } from '../../src/core/jobs/job';
import { JobStore } from '../../src/core/jobs/jobStore';
import type { JobPreview } from '../../src/core/jobs/eventJob';
import type { RunChoices } from '../../src/core/runs/runChoices';
import { runWorkflow } from '../../src/core/runs/runWorkflow';
import { portsInMemory } from '../unit/runLife/followedRun';
import type { RunOutcome } from '../../src/core/runs/runWorkflow';
import { RunSession } from '../../src/core/runLife/runSession';
import { undiciStack } from '../../src/cli/undiciStack';
import { expectThat } from './check';
import { textOf } from './prompts';
import type { Nodes } from './prompts';

/** Maximum wait for one job, ms. */
const patience = 120_000;

/** A server under test, and every job submitted to it, so that none is left there. */
export class LiveServer {
  readonly session: RunSession;
  readonly store = new JobStore();
  readonly previews: JobPreview[] = [];
  readonly #own = new Set<string>();
  readonly http = undiciStack();

  private constructor(
    readonly url: string,
    private readonly key: string | undefined,
  ) {
    const credential: Credential | undefined = key === undefined ? undefined : { kind: 'apiKey', value: key };
    this.session = new RunSession({
      server: { id: 'live', name: 'live', url },
      transport: new Transport({
        baseUrl: url,
        http: this.http,
        credential: () => Promise.resolve(credential),
      }),
      store: this.store,
      onPreview: (preview) => this.previews.push(preview),
    });
  }

  static open(url: string, key: string | undefined): LiveServer {
    return new LiveServer(url, key);
  }

  /** What a local server remembers of a job. */
  history(id: string): Promise<JobDetail[]> {
    return readHistory(new Transport({ baseUrl: this.url, http: this.http }), { id });
  }

  get client(): ExecutionClient {
    return this.session.client;
  }

  /** The music service at the same address, with this suite's key or another one. */
  music(key = this.key): { readonly transport: Transport; readonly client: MusicClient } {
    const credential = key === undefined ? undefined : musicCredential(key);
    const transport = new Transport({
      baseUrl: this.url,
      http: this.http,
      credential: () => Promise.resolve(credential),
    });
    return { transport, client: new MusicClient(transport) };
  }

  get hasKey(): boolean {
    return this.key !== undefined;
  }

  capabilities(): Promise<Capabilities> {
    return this.session.capabilities();
  }

  /** Whether the server offers no more than Comfy Cloud documents, so that events alone tell details of a job. */
  async isStrict(): Promise<boolean> {
    const { dialect, history } = await this.capabilities();
    return dialect === 'cloud' && !history;
  }

  async catalog(): Promise<Catalog> {
    const catalog = await this.session.catalog();
    expectThat(catalog !== undefined, 'the server gave no node definitions');
    return catalog;
  }

  /** Runs nodes through the whole procedure of the product. */
  async run(
    nodes: Nodes,
    more: Partial<RunChoices> = {},
    workflow = WorkflowDocument.of(textOf(nodes)),
  ): Promise<RunOutcome> {
    const outcome = await runWorkflow(
      { workflow, label: 'conformance.json' },
      { seeds: 'keep', ...more },
      this.session,
      {
        localMedia: () => Promise.resolve(undefined),
        mayUpload: () => Promise.resolve(false),
        maySpend: () => Promise.resolve(false),
        partnerKey: () => Promise.resolve(undefined),
      },
      portsInMemory(),
      AbortSignal.timeout(patience),
    );
    if (outcome.kind === 'submitted') this.#own.add(outcome.jobId);
    return outcome;
  }

  /** Runs nodes and returns the id of their job. */
  async start(nodes: Nodes, more: Partial<RunChoices> = {}): Promise<string> {
    const outcome = await this.run(nodes, more);
    if (outcome.kind === 'submitted') return outcome.jobId;
    if (outcome.kind === 'refused') throw new Error(`not sent: ${outcome.message}`);
    if (outcome.kind === 'refusedByServer') {
      throw new Error(
        `refused: ${outcome.error.message} ${outcome.findings.map(({ message }) => message).join(' ')}`,
      );
    }
    throw new Error('not sent');
  }

  finished(id: string): Promise<Job> {
    return this.session.tracker.finished(id, AbortSignal.timeout(patience));
  }

  async complete(nodes: Nodes, more: Partial<RunChoices> = {}): Promise<Job> {
    const job = await this.finished(await this.start(nodes, more));
    expectThat(job.state === 'completed', `the job ended as ${job.state}: ${job.failure?.message ?? ''}`);
    return job;
  }

  /** Posts a prompt without our own checks, to see the server's answer. Never one with a link to a missing node. */
  async post(nodes: Nodes, partialTargets?: readonly string[]): Promise<SubmissionAnswer> {
    // A server that keeps to its contract knows no client, and sends every event to everyone.
    const client = (await this.isStrict()) ? '' : `"client_id":${JSON.stringify(this.session.clientId)},`;
    const targets = partialTargets ? [`"partial_execution_targets":${JSON.stringify(partialTargets)},`] : [];
    const answer = await this.client.submit(`{${client}${targets.join('')}"prompt":${textOf(nodes)}}`);
    if (answer.kind === 'accepted') this.#own.add(answer.promptId);
    return answer;
  }

  /** Waits until the server reports that one of our jobs runs; false if it ended before. */
  async running(id: string): Promise<boolean> {
    for (let left = 100; left > 0; left--) {
      const { running } = await this.client.queue();
      if (running.some((item) => item.id === id)) return true;
      const state = this.store.get(id)?.state;
      if (state !== undefined && isTerminal(state)) return false;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return false;
  }

  /** Waits until none of our jobs runs or waits. */
  async settled(): Promise<void> {
    const living = this.store.jobs().filter(({ id, state }) => this.#own.has(id) && !isTerminal(state));
    await Promise.all(living.map(({ id }) => this.finished(id)));
  }

  /** Cancels our remaining jobs; returns how many of them the server still has in its queue. */
  async leaveNothing(): Promise<number> {
    const mine = (ids: readonly { readonly id: string }[]): string[] =>
      ids.map(({ id }) => id).filter((id) => this.#own.has(id));
    for (let tries = 0; ; tries++) {
      const { running, pending } = await this.client.queue();
      const left = [...mine(pending), ...mine(running)];
      if (left.length === 0 || tries === 20) return left.length;
      for (const id of left) await this.client.cancel(id);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async close(): Promise<void> {
    await this.session.dispose();
    await this.http.close();
  }
}
