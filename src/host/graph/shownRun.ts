import * as vscode from 'vscode';
import { isTerminal, type Job, type JobFile } from '../../core/jobs/job';
import { jobToFollow } from '../../core/jobs/jobGroups';
import { outputFileKey } from '../../core/outputs/expectedFile';
import type { ToGraph } from '../../webview/contract/graphPanel';
import { commands, customEditors } from '../platform/contributions';
import { openFileIn } from '../platform/openFile';
import { Owner } from '../platform/feature';
import type { JobPreview } from '../../core/jobs/eventJob';
import { FramePacer } from '../preview/framePacer';
import type { WindowRuns } from '../runs/windowRuns';
import { drawnNodeId, jobGraphRun, drawnNodePicture } from './graphRun';

/** A run that somebody asked to see, by its job or its record. */
export interface ChosenRun {
  readonly job: Job;
  readonly record?:
    | {
        readonly uri: vscode.Uri;
        readonly outputs: ReadonlyMap<string, vscode.Uri>;
      }
    | undefined;
}

/** The page that shows it. */
export interface RunPanel {
  readonly isVisible: () => boolean;
  readonly post: (message: ToGraph) => void;
  readonly address: (file: vscode.Uri) => string;
  /** A new folder reloads the page, which then asks for everything. */
  readonly allow: (folders: readonly vscode.Uri[]) => void;
  /** {@link ShownRun.show} is wanted soon. */
  readonly changed: () => void;
}

/** The drawn part of a file. */
export interface DrawnFile {
  readonly nodes: ReadonlySet<string>;
  /** The SHA-256 (hex) of its text. */
  readonly hash: () => string;
}

/** The graph shows the run that was asked for until the file is run again, else the latest one. */
export class ShownRun extends Owner {
  readonly #file: string;
  readonly #pacer = new FramePacer((serial, frame) => this.#postFrame(serial, frame));
  #drawn: DrawnFile = { nodes: new Set(), hash: () => '' };
  #chosen: ChosenRun | undefined;
  /** Jobs of the file that were there when it was chosen. */
  #known: ReadonlySet<string> = new Set();
  /** Jobs that aren't shown any longer. */
  #hidden: ReadonlySet<string> = new Set();
  #jobId: string | undefined;

  constructor(
    file: vscode.Uri,
    private readonly runs: WindowRuns,
    private readonly panel: RunPanel,
  ) {
    super();
    this.#file = file.toString();
    const { temporary, servers } = runs;
    const store = runs.runs;
    const onOutputs = (jobId: string): void => {
      if (jobId === this.#jobId) panel.changed();
    };
    this.own(
      new vscode.Disposable(
        store.onDidChange(({ added, changed, removed }) => {
          const ids = [...added, ...changed, ...removed];
          if (this.#chosen && ids.some((id) => this.#isNew(store.job(id)))) this.#chosen = undefined;
          if (ids.some((id) => id === this.#jobId || this.#isOfFile(store.job(id)))) panel.changed();
        }),
      ),
      temporary.onDidChange(onOutputs),
      servers.sessions.onDidChangeSilence(panel.changed),
      servers.sessions.onPreview((frame) => {
        if (frame.jobId === this.#jobId && panel.isVisible()) this.#pacer.offer(frame);
      }),
    );
  }

  get jobId(): string | undefined {
    return this.#jobId;
  }

  get folders(): readonly vscode.Uri[] {
    const { places, temporary } = this.runs;
    const { record } = this.#chosen ?? {};
    const own = record ? [vscode.Uri.joinPath(record.uri, '..')] : [];
    return [...places.all(), temporary.folder, ...own];
  }

  /** @param run the newest of the file if undefined */
  choose(run: ChosenRun | undefined): void {
    this.#chosen = run;
    this.#known = new Set(this.#jobs().map(({ id }) => id));
    this.#hidden = new Set();
    this.panel.changed();
  }

  /** The page was reloaded: frames on their way are lost. */
  restart(): void {
    this.#pacer.reset();
  }

  /** @param drawn undefined if nothing else is drawn now */
  show(drawn: DrawnFile = this.#drawn): void {
    this.#drawn = drawn;
    this.panel.allow(this.folders);
    const job = this.#job();
    // A page that comes into sight again asks for everything.
    if (!this.panel.isVisible()) return;
    const { sessions } = this.runs.servers;
    const run =
      job &&
      jobGraphRun(job, drawn.nodes, {
        silence: sessions.silenceOf(job.server),
        isChanged: job.origin?.sourceHash !== undefined && job.origin.sourceHash !== drawn.hash(),
        addressOf: (file) => {
          const found = this.#uriOf(job, file);
          return found && this.panel.address(found);
        },
        now: Date.now(),
      });
    this.panel.post({ type: 'run', run: run ?? null });
  }

  painted(serial: number): void {
    this.#pacer.painted(serial);
  }

  #postFrame(serial: number, { jobId, nodeId, mime, image }: JobPreview): void {
    const id = nodeId ?? this.runs.runs.job(jobId)?.currentNodeId;
    const node = id === undefined ? undefined : drawnNodeId(id, this.#drawn.nodes);
    if (node === undefined) this.#pacer.painted(serial);
    // A copy: the socket's buffer may be a slice of a larger one, which would be transferred completely.
    else this.panel.post({ type: 'frame', serial, jobId, node, mime, image: new Uint8Array(image) });
  }

  pictureFile(node: string): vscode.Uri | undefined {
    const job = this.#job();
    const isThere = (file: JobFile): boolean => job !== undefined && this.#uriOf(job, file) !== undefined;
    const file = job && drawnNodePicture(job, node, this.#drawn.nodes, isThere);
    return file && this.#uriOf(job, file);
  }

  async open(): Promise<void> {
    const record = this.#chosen?.record;
    if (record) await openFileIn(record.uri, customEditors.runRecord);
    else if (this.#jobId !== undefined)
      await vscode.commands.executeCommand(commands.previewJob, this.#jobId);
  }

  #job(): Job | undefined {
    const job = this.#chosen ? this.#newest(this.#chosen.job) : this.#followed();
    this.#jobId = job?.id;
    return job;
  }

  #uriOf(job: Job, file: JobFile): vscode.Uri | undefined {
    const recorded = this.#chosen?.record?.outputs.get(outputFileKey(file));
    return recorded ?? this.runs.outputUri(job.id, file);
  }

  /** IDs of different servers are unrelated. */
  #newest(job: Job): Job {
    const known = this.runs.runs.job(job.id);
    return known?.server === job.server ? known : job;
  }

  #followed(): Job | undefined {
    const { sessions } = this.runs.servers;
    const jobs = this.#jobs().filter(({ id }) => !this.#hidden.has(id));
    return jobToFollow(jobs, this.#jobId, ({ server }) => sessions.silenceOf(server) !== undefined);
  }

  /** Another one that isn't over yet is shown then, but none that ended before. */
  hide(): void {
    const over = this.#jobs().filter(({ state }) => isTerminal(state));
    const ids = [this.#jobId ?? '', ...over.map(({ id }) => id)];
    this.#hidden = new Set([...this.#hidden, ...ids]);
    this.#chosen = undefined;
    this.show();
  }

  #jobs(): readonly Job[] {
    return this.runs.runs.jobs().filter((job) => this.#isOfFile(job));
  }

  #isOfFile(job: Job | undefined): boolean {
    return job?.origin?.sourceUri === this.#file;
  }

  #isNew(job: Job | undefined): boolean {
    return job !== undefined && this.#isOfFile(job) && !isTerminal(job.state) && !this.#known.has(job.id);
  }
}
