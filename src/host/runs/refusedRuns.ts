import * as vscode from 'vscode';

/** A place in the text of a file, in UTF-16 units, and what is wrong there. */
export interface RefusedPlace {
  readonly message: string;
  readonly offset: number;
  readonly length: number;
}

/** A run that did not start: nothing was made, and there is no job. */
export interface RefusedRun {
  readonly uri: vscode.Uri;
  /** Name of the workflow. */
  readonly label: string;
  /** Name of the server. */
  readonly server: string;
  readonly message: string;
  /** The same where all of `places` are listed beside it. */
  readonly summary?: string;
  readonly nextAction: string;
  readonly places: readonly RefusedPlace[];
}

/** The last run of this window, if it did not start: whoever shows runs shows this in place of the one before. */
export class RefusedRuns implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #last: RefusedRun | undefined;

  get last(): RefusedRun | undefined {
    return this.#last;
  }

  refused(run: RefusedRun): void {
    this.#last = run;
    this.#changed.fire();
  }

  /** Another run is on its way, or somebody looks at a job. */
  forget(): void {
    if (this.#last === undefined) return;
    this.#last = undefined;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
