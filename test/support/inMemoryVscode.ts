import { EventEmitter as Emitter } from 'node:events';
import path from 'node:path';

/*
 * VS Code in memory: vitest puts this in the place of the module `vscode`. It has what our code asks of it in unit tests,
 * and no more. Unit tests share their modules: what a test changes here it puts back, `vi.spyOn` included.
 */

/** What notifications said, the newest last. */
export const told: string[] = [];
export const setting = { value: 'always' as unknown };
export const tabs: { readonly uri: Uri }[] = [];

const tell = (message: string): Promise<undefined> => {
  told.push(message);
  return Promise.resolve(undefined);
};
const nothing = { dispose: (): void => undefined };
const never = () => nothing;

export class Uri {
  private constructor(
    readonly path: string,
    readonly scheme = 'file',
    readonly authority = '',
    readonly query = '',
  ) {}

  static file(file: string): Uri {
    return new Uri(file.replaceAll('\\', '/').replace(/^(?!\/)/, '/'));
  }
  static parse(text: string): Uri {
    const [, scheme, authority, rest = text] = /^([\w-]+):\/\/([^/]*)(.*)$/.exec(text) ?? [];
    return new Uri(decodeURI(rest), scheme, authority);
  }
  static from({ path: place = '', scheme, authority, query }: Partial<Record<keyof Uri, string>>): Uri {
    return new Uri(place, scheme, authority, query);
  }
  static joinPath(base: Uri, ...names: readonly string[]): Uri {
    return new Uri(path.posix.join(base.path, ...names), base.scheme, base.authority);
  }

  get fsPath(): string {
    return path.normalize(this.path.replace(/^\/(?=[A-Za-z]:)/, ''));
  }
  toString(): string {
    // Like VS Code's: no lone surrogates.
    return `${this.scheme}://${this.authority}${encodeURI(this.path)}`;
  }
}

export class EventEmitter {
  readonly #emitter = new Emitter();
  readonly event = (listener: (value: unknown) => void): { dispose(): void } => {
    this.#emitter.on('fire', listener);
    return { dispose: () => void this.#emitter.off('fire', listener) };
  };
  fire(value: unknown): void {
    this.#emitter.emit('fire', value);
  }
  dispose(): void {
    this.#emitter.removeAllListeners();
  }
}

export class Disposable {
  constructor(readonly dispose: () => void) {}
  static from(...all: readonly Disposable[]): Disposable {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}
export class Range {
  constructor(
    readonly start: unknown,
    readonly end: unknown,
  ) {}
}
export class Selection extends Range {}
export class RelativePattern {
  constructor(
    readonly base: Uri,
    readonly pattern: string,
  ) {}
}
export class TabInputText {
  constructor(readonly uri: Uri) {}
}
export class TabInputCustom extends TabInputText {}
export const TextEdit = { replace: (range: Range, newText: string) => ({ range, newText }) };
export class WorkspaceEdit {
  readonly edits: unknown[] = [];
  set(_uri: Uri, edits: readonly unknown[]): void {
    this.edits.push(...edits);
  }
}

export class CancellationError extends Error {}
export const CodeActionKind = { QuickFix: { value: 'quickfix' } };
export const TextEditorRevealType = {};
export const EndOfLine = { LF: 1, CRLF: 2 };
export const ViewColumn = { Active: -1, One: 1, Two: 2, Three: 3 };
export const env = { language: 'en' };
export const l10n = {};
export const languages = { match: (): number => 0 };
export const commands = {
  executeCommand: (): Promise<undefined> => Promise.resolve(undefined),
  registerCommand: never,
};
export const window = {
  showInformationMessage: tell,
  showWarningMessage: tell,
  showErrorMessage: tell,
  showTextDocument: (): Promise<object> => Promise.resolve({}),
  onDidChangeActiveTextEditor: never,
  onDidChangeActiveColorTheme: never,
  createTreeView: () => ({ visible: true, onDidChangeVisibility: never }),
  tabGroups: {
    onDidChangeTabs: never,
    get all(): readonly object[] {
      return tabs.map((input) => ({ activeTab: { input } }));
    },
  },
};
export const workspace = {
  isTrusted: true,
  onDidGrantWorkspaceTrust: never,
  onDidChangeConfiguration: never,
  onDidCloseTextDocument: never,
  onDidChangeTextDocument: never,
  onWillSaveTextDocument: never,
  workspaceFolders: undefined as readonly object[] | undefined,
  fs: { isWritableFileSystem: (): boolean => true },
  getConfiguration: () => ({ get: () => setting.value, inspect: () => ({ defaultValue: '' }) }),
  getWorkspaceFolder: (): undefined => undefined,
  openTextDocument: (uri: Uri): Promise<unknown> => Promise.resolve(uri),
  applyEdit: (): Promise<boolean> => Promise.resolve(true),
  createFileSystemWatcher: () => ({
    ...nothing,
    onDidCreate: never,
    onDidChange: never,
    onDidDelete: never,
  }),
};
