import * as vscode from 'vscode';

/** A range in a file's text, in UTF-16 units, and what is wrong there. */
export interface RefusedPlace {
  readonly message: string;
  readonly offset: number;
  readonly length: number;
}

/** A run that did not start: there is no job. */
export interface RefusedRun {
  readonly uri: vscode.Uri;
  /** Name of the workflow. */
  readonly label: string;
  /** Name of the server. */
  readonly server: string;
  readonly message: string;
  /** The same if all of `places` are listed next to it. */
  readonly summary?: string;
  readonly nextAction: string;
  readonly places: readonly RefusedPlace[];
}

/** This window's last run, if it did not start: shown in place of the previous one. */
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

  /** Another run started, or the user looks at a job. */
  forget(): void {
    if (this.#last === undefined) return;
    this.#last = undefined;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
