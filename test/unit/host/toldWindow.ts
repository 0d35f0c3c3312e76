/*
 * A window whose notifications are kept. Unit tests share the modules that they import, `vscode` among them: files that
 * read notifications share this one too.
 */

/** What notifications said, the newest last. */
export const told: string[] = [];

const tell = (message: string): Promise<undefined> => {
  told.push(message);
  return Promise.resolve(undefined);
};

/** What the window's settings are. */
export const setting = { value: 'always' };

/** The active tab of each group. */
export const tabs: TabInputCustom[] = [];

export class TabInputCustom {
  readonly uri: { readonly fsPath: string };
  constructor(fsPath: string) {
    this.uri = { fsPath };
  }
}

/** For `vi.mock('vscode', …)`. */
export const vscode = {
  window: {
    showInformationMessage: tell,
    showWarningMessage: tell,
    showErrorMessage: tell,
    tabGroups: {
      get all() {
        return tabs.map((input) => ({ activeTab: { input } }));
      },
    },
  },
  TabInputCustom,
  TabInputText: class extends TabInputCustom {},
  Disposable: class {
    readonly dispose: () => void;
    constructor(dispose: () => void) {
      this.dispose = dispose;
    }
  },
  workspace: {
    isTrusted: true,
    getConfiguration: () => ({ get: () => setting.value, inspect: () => ({ defaultValue: '' }) }),
  },
  Uri: { from: (parts: object) => parts, parse: (text: string) => text },
};
