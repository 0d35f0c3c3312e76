import * as vscode from 'vscode';
import type { Job, JobFile } from '../../core/jobs/job';
import { jobToFollow } from '../../core/jobs/jobGroups';
import { fileKey } from '../../core/jobs/jobOutputs';
import type { SavedOutput } from '../../core/outputs/savedOutput';
import type { Services } from '../services';

export interface RunServices extends Pick<
  Services,
  'store' | 'servers' | 'saved' | 'temporary' | 'places' | 'ready'
> {
  /** The job with what its sender on this machine knows about it. */
  readonly named: (job: Job) => Job;
}

/** A run that somebody asked to see, by its job or its record. */
export interface ChosenRun {
  readonly job: Job;
  readonly record?: { readonly uri: vscode.Uri; readonly outputs: readonly SavedOutput[] } | undefined;
}

/** The run that the graph of a file shows: the one that was asked for, else the one of the file that runs or ran last. */
export class ShownRun implements vscode.Disposable {
  readonly #file: string;
  readonly #services: RunServices;
  readonly #subscriptions: vscode.Disposable;
  #chosen: ChosenRun | undefined;
  /** The job that isn't shown any longer. */
  #hidden: string | undefined;
  #jobId: string | undefined;

  /** @param onChange there is something new, perhaps of another run */
  constructor(file: vscode.Uri, services: RunServices, onChange: () => void) {
    this.#file = file.toString();
    this.#services = services;
    const { store, saved, temporary, servers } = services;
    const onOutputs = (jobId: string): void => {
      if (jobId === this.#jobId) onChange();
    };
    this.#subscriptions = vscode.Disposable.from(
      new vscode.Disposable(
        store.onDidChange(({ added, changed, removed }) => {
          const isOurs = (id: string): boolean =>
            id === this.#jobId || store.get(id)?.origin?.sourceUri === this.#file;
          if ([added, changed, removed].some((ids) => ids.some(isOurs))) onChange();
        }),
      ),
      saved.onDidChange(onOutputs),
      temporary.onDidChange(onOutputs),
      servers.sessions.onDidChangeSilence(onChange),
    );
  }

  /** The run that was shown last. */
  get jobId(): string | undefined {
    return this.#jobId;
  }

  get record(): vscode.Uri | undefined {
    return this.#chosen?.record?.uri;
  }

  /** The folders with its outputs. */
  get folders(): readonly vscode.Uri[] {
    const { places, temporary } = this.#services;
    const { record } = this.#chosen ?? {};
    const own = record ? [vscode.Uri.joinPath(record.uri, '..')] : [];
    return [...places.all(), temporary.folder, ...own];
  }

  choose(run: ChosenRun | undefined): void {
    this.#chosen = run;
    this.#hidden = undefined;
  }

  hide(): void {
    this.#hidden = this.#jobId;
    this.#chosen = undefined;
  }

  /** The job of now. */
  job(): Job | undefined {
    const job = this.#chosen ? this.#newest(this.#chosen.job) : this.#followed();
    this.#jobId = job?.id;
    return job && this.#services.named(job);
  }

  uriOf(job: Job, file: JobFile): vscode.Uri | undefined {
    const { saved, temporary } = this.#services;
    const recorded = this.#chosen?.record?.outputs.find((output) => fileKey(output.file) === fileKey(file));
    if (recorded) return vscode.Uri.file(recorded.location);
    return saved.find(job.id, file) ?? temporary.find(job.id, file);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** IDs of different servers are unrelated. */
  #newest(job: Job): Job {
    const known = this.#services.store.get(job.id);
    return known?.server === job.server ? known : job;
  }

  #followed(): Job | undefined {
    const { store, servers } = this.#services;
    const jobs = store.jobs().filter(({ origin }) => origin?.sourceUri === this.#file);
    const isSilent = ({ server }: Job): boolean => servers.sessions.silenceOf(server) !== undefined;
    const job = jobToFollow(jobs, this.#jobId, isSilent);
    return job?.id === this.#hidden ? undefined : job;
  }
}
