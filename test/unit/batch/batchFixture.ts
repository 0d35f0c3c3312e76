import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { AxisSource } from '../../../src/core/batch/axisSource';
import { batchProblemFrom } from '../../../src/core/batch/batchProblem';
import { writeStartedBatch, type StartedBatch } from '../../../src/core/batch/startedBatch';
import { BatchRun } from '../../../src/core/batch/batchRun';
import type { BatchAsks, BatchServer, BatchWork } from '../../../src/core/batch/runRow';
import { hashWorkflowText, planBatch } from '../../../src/core/batch/planBatch';
import { rowsToRun } from '../../../src/core/batch/batchRow';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import type { OutputFolder } from '../../../src/core/outputs/outputFolder';
import { readRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { RunWork } from '../../../src/core/runLife/runWork';
import type { RunSession } from '../../../src/core/runLife/runSession';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { unchanged } from '../../support/unchanged';
import { notOnWindows } from '../../support/notOnWindows';

export const pictureText = JSON.stringify({
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
});

/** A folder with a kept batch, and what it takes to run it as often as a test likes. */
export class BatchWorld {
  readonly asked: string[] = [];

  private constructor(
    readonly root: string,
    readonly folder: OutputFolder,
    readonly batch: StartedBatch,
    readonly workflowText: string,
  ) {}

  static async open(set: Record<string, string>, workflowText = pictureText): Promise<BatchWorld> {
    const root = await mkdtemp(path.join(tmpdir(), 'batch-'));
    onTestFinished(() =>
      rm(root, { recursive: true, force: true, maxRetries: 5 }).catch((error: unknown) => {
        if (!notOnWindows('a life that ended in the middle has files open, which stay')) throw error;
      }),
    );
    const folder = new NodeFolder(root);
    const settings = Object.entries(set).map(([selector, text]) => {
      const source: AxisSource = { kind: 'written', text };
      return { selector, source };
    });
    const { plan, problems } = await planBatch({
      workflow: WorkflowDocument.of(workflowText),
      spec: { set: settings },
      catalog: undefined,
      readText: () => Promise.reject(new Error('There is no file.')),
    });
    if (!plan) throw batchProblemFrom(problems);
    const workflowHash = hashWorkflowText(workflowText);
    const about = { label: 'w.json', workflow: 'w.json', workflowHash, isPaid: false, axes: plan.axes };
    const { batch } = await writeStartedBatch(folder, about, Date.now());
    return new BatchWorld(root, folder, batch, workflowText);
  }

  /** The batch as its records say, on these servers. */
  async run(
    servers: readonly BatchServer[],
    more: Partial<ConstructorParameters<typeof BatchRun>[0]> & WorkOptions = {},
  ): Promise<BatchRun> {
    const { isPaid = false, giveUpAfter = 300, asks, choices = {}, folder = this.folder, ...options } = more;
    const batch = { ...this.batch, isPaid };
    return new BatchRun({
      work: {
        runs: new RunWork(),
        batch,
        workflowText: this.workflowText,
        folder,
        choices,
        asks: { ...this.#asks(), ...asks },
        partnerKey: () => Promise.resolve('partner-key'),
        hide: unchanged,
        largestCopy: 20_000_000,
        giveUpAfter,
      },
      servers,
      rows: await rowsToRun(this.folder, batch),
      stopAfterErrors: 3,
      ...options,
    });
  }

  /** In the order of their rows: their names begin with the second in which each was sent. */
  async records(): Promise<RunRecord[]> {
    const names = (await readdir(this.root)).filter((name) => name.endsWith('.run.json'));
    const texts = await Promise.all(names.map((name) => readFile(path.join(this.root, name), 'utf8')));
    const records = texts.flatMap((text) => readRunRecord(text) ?? []);
    return records.sort((one, other) => (one.batch?.row ?? 0) - (other.batch?.row ?? 0));
  }

  async pictures(): Promise<number> {
    return (await readdir(this.root)).filter((name) => name.endsWith('.png')).length;
  }

  #asks(): BatchAsks {
    const answer = (what: string): Promise<boolean> => {
      this.asked.push(what);
      return Promise.resolve(true);
    };
    return {
      localMedia: () => Promise.resolve(undefined),
      mayUpload: () => answer('upload'),
      maySpend: (nodes, rows) => answer(`spend on ${nodes.length} nodes in ${rows} rows`),
      mayMovePaid: (server) => answer(`move from ${server}`),
    };
  }
}

interface WorkOptions {
  readonly isPaid?: boolean;
  readonly giveUpAfter?: number;
  readonly asks?: Partial<BatchAsks>;
  readonly folder?: OutputFolder;
  readonly choices?: BatchWork['choices'];
}

export function serverOf(session: RunSession, name = 'one', window = 2): BatchServer {
  return { name, session, window };
}

/** How many prompts were posted. */
export function submissions(bodies: readonly string[]): number {
  return bodies.filter((body) => body.includes('"prompt":')).length;
}

/** A folder with some members replaced. */
export function withMembers(folder: OutputFolder, own: Partial<OutputFolder>): OutputFolder {
  return new Proxy(folder, {
    get: (target, name) =>
      (Reflect.get(own, name) as unknown) ?? (Reflect.get(target, name) as () => unknown).bind(target),
  });
}
