import * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { isNameOfKind } from '../../core/runs/uploadKinds';
import type { Owned } from '../platform/feature';
import { findMediaUri } from '../runs/findLocalMedia';
import { uriName } from '../platform/workflowSource';

/** Maximum number of files looked up per workflow; those beyond count as missing. */
const mostFiles = 100;

/** Files looked up at the same time. */
const atOnce = 8;

interface NamedFile {
  uri: vscode.Uri | undefined;
  isKnown: boolean;
  isChecked: boolean;
  looking: Promise<void>;
}

interface NamedFiles {
  readonly workflow: vscode.Uri;
  readonly files: Map<string, NamedFile>;
  looking: number;
  hasNews: boolean;
}

/** A check can't wait for the disk, so a file counts as present until it turns out to be missing. */
export class LocalFiles implements vscode.Disposable {
  readonly #known = new Map<string, NamedFiles>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #watching: Owned[] | undefined;

  constructor(private readonly findMedia = findMediaUri) {}

  has(workflow: vscode.Uri, name: string, kind: UploadKind): boolean {
    if (!isNameOfKind(kind, name)) return false;
    const file = this.#fileOf(workflow, name);
    if (!file) return false;
    file.isChecked = true;
    return !file.isKnown || file.uri !== undefined;
  }

  async find(workflow: vscode.Uri, name: string): Promise<vscode.Uri | undefined> {
    const file = this.#fileOf(workflow, name);
    await file?.looking;
    return file?.uri;
  }

  /** Resolves once the disk has answered for all files of a workflow. */
  async settled(workflow: vscode.Uri): Promise<void> {
    const known = this.#known.get(workflow.toString());
    if (known) await Promise.all([...known.files.values()].map(({ looking }) => looking));
  }

  forget(workflow: vscode.Uri): void {
    this.#known.delete(workflow.toString());
  }

  dispose(): void {
    this.#changed.dispose();
    this.#watching?.forEach((each) => void each.dispose());
  }

  #fileOf(workflow: vscode.Uri, name: string): NamedFile | undefined {
    const key = workflow.toString();
    const known: NamedFiles = this.#known.get(key) ?? {
      workflow,
      files: new Map(),
      looking: 0,
      hasNews: false,
    };
    this.#known.set(key, known);
    const file = known.files.get(name);
    if (file || known.files.size >= mostFiles) return file;
    const added = { uri: undefined, isKnown: false, isChecked: false, looking: Promise.resolve() };
    known.files.set(name, added);
    this.#watching ??= this.#watch();
    this.#look(known, name, added);
    return added;
  }

  #look(known: NamedFiles, name: string, file: NamedFile): void {
    known.looking++;
    file.looking = this.#inTurn(() => this.findMedia(known.workflow, name))
      .catch(() => undefined)
      .then((uri) => {
        const countedAsThere = !file.isKnown || file.uri !== undefined;
        file.uri = uri;
        file.isKnown = true;
        if (file.isChecked && countedAsThere !== (uri !== undefined)) known.hasNews = true;
        known.looking--;
        this.#tellNews(known);
      });
  }

  #tellNews(known: NamedFiles): void {
    if (known.looking > 0 || !known.hasNews) return;
    known.hasNews = false;
    if (this.#known.get(known.workflow.toString()) === known) this.#changed.fire(known.workflow);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    // A finished lookup starts the next.
    if (this.#running >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #watch(): Owned[] {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
    const lookAgain = (uri: vscode.Uri): void => {
      const changed = uriName(uri);
      for (const known of this.#known.values()) {
        for (const [name, file] of known.files) {
          if (name.split(/[/\\]/).at(-1) === changed) this.#look(known, name, file);
        }
      }
    };
    return [watcher, watcher.onDidCreate(lookAgain), watcher.onDidDelete(lookAgain)];
  }
}
