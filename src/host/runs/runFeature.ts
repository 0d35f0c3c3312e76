import type * as vscode from 'vscode';
import { commands } from '../platform/contributions';
import { registerCommand } from '../platform/commandRegistry';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import type { Runs } from './runs';
import { openExample } from './openExample';
import { pickOpenWorkflow } from './openWorkflows';
import { openSample } from './sample';
import { hasSource, readSource, sourcesOf } from './workflowSource';

/** Running workflow files from the palette, the editor, the Explorer and by key. */
export class RunFeature implements Feature {
  readonly #runs: Runs;
  readonly #log: Log;
  readonly #onUsed: () => void;

  /** @param onUsed called when a command of this feature is used */
  constructor(runs: Runs, log: Log, onUsed: () => void) {
    this.#runs = runs;
    this.#log = log;
    this.#onUsed = onUsed;
  }

  register(context: vscode.ExtensionContext): void {
    context.subscriptions.push(
      this.#runs,
      registerCommand(this.#log, commands.run, (...args) => this.#run(args, 'keep', context.extensionUri)),
      registerCommand(this.#log, commands.runWithNewSeeds, (...args) =>
        this.#run(args, 'new', context.extensionUri),
      ),
      registerCommand(this.#log, commands.openSample, () => openSample(context.extensionUri)),
      registerCommand(this.#log, commands.openExample, (kind) => openExample(context.extensionUri, kind)),
    );
  }

  /** Several files of the Explorer go one after the other; trouble with the server stops the rest. */
  async #run(
    args: readonly unknown[],
    seeds: 'keep' | 'new',
    extensionUri: vscode.Uri,
  ): Promise<string | undefined> {
    this.#onUsed();
    let jobId: string | undefined;
    for (const uri of await this.#filesToRun(args, extensionUri))
      jobId = await this.#runs.run(await readSource(uri), { seeds });
    return jobId;
  }

  /** From the walkthrough no file is in front: one that is open runs, and where there is none, a sample. */
  async #filesToRun(args: readonly unknown[], extensionUri: vscode.Uri): Promise<readonly vscode.Uri[]> {
    if (hasSource(args)) return sourcesOf(args);
    const open = await pickOpenWorkflow();
    const file = open === 'none' ? await openSample(extensionUri) : open;
    return file ? [file] : [];
  }
}
