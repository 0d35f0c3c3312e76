import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { isTerminal } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import { settings } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import { onSettingChange, readSetting } from '../platform/settings';
import type { Consent } from './consent';
import type { Runs } from './runs';
import { isWorkflowDocument, nameOf } from './workflowSource';

/**
 * Runs a workflow file when its user saves it, if he wants that. Each run may cost: automatic saves do not count, the
 * same text is not sent twice, and not while the file still has a job.
 */
export class RunOnSave implements Feature {
  readonly #runs: Runs;
  readonly #consent: Consent;
  readonly #store: Pick<JobStore, 'jobs'>;
  /** Jobs of earlier windows count too: a text that was run yesterday is not run again. */
  readonly #ready: () => Promise<void>;
  readonly #log: Log;
  /** Files that are being saved by hand. */
  readonly #byHand = new Set<string>();
  /** File -> hash of the text that was sent last. */
  readonly #sent = new Map<string, string>();

  constructor(
    runs: Runs,
    consent: Consent,
    store: Pick<JobStore, 'jobs'>,
    ready: () => Promise<void>,
    log: Log,
  ) {
    this.#runs = runs;
    this.#consent = consent;
    this.#store = store;
    this.#ready = ready;
    this.#log = log;
  }

  register(context: vscode.ExtensionContext): void {
    context.subscriptions.push(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (reason === vscode.TextDocumentSaveReason.Manual) this.#byHand.add(document.uri.toString());
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (!this.#byHand.delete(document.uri.toString())) return;
        this.#saved(document).catch((error: unknown) => tellProblem(error, this.#log));
      }),
      onSettingChange([settings.runOnSave], () => void this.#consent.forgetRunOnSave()),
    );
  }

  async #saved(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    if (!vscode.workspace.isTrusted || readSetting(settings.runOnSave, uri) !== true) return;
    if (!isWorkflowDocument(document)) return;
    await this.#ready();
    const key = uri.toString();
    const text = document.getText();
    const hash = createHash('sha256').update(text).digest('hex');
    if (this.#sent.get(key) === hash || this.#wasRun(key, hash) || this.#hasLiveJob(key)) return;
    if (!(await this.#consent.runOnSave())) return;
    this.#sent.set(key, hash);
    const jobId = await this.#runs.run(
      { uri, text, label: nameOf(uri) },
      { seeds: 'keep', unattended: true },
    );
    // A text that was not sent, for want of an answer or because it was refused, may be saved and tried again.
    if (jobId === undefined) this.#sent.delete(key);
  }

  #wasRun(uri: string, hash: string): boolean {
    const own = this.#store.jobs().filter(({ origin }) => origin?.sourceUri === uri);
    const newest = own.reduce<(typeof own)[number] | undefined>(
      (latest, job) => ((job.createdAt ?? 0) >= (latest?.createdAt ?? 0) ? job : latest),
      undefined,
    );
    return newest?.origin?.sourceHash === hash;
  }

  #hasLiveJob(uri: string): boolean {
    return this.#store.jobs().some((job) => job.origin?.sourceUri === uri && !isTerminal(job.state));
  }
}
