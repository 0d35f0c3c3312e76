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

/** For `vi.mock('vscode', …)`. */
export const vscode = {
  window: { showInformationMessage: tell, showWarningMessage: tell, showErrorMessage: tell },
  workspace: {
    isTrusted: true,
    getConfiguration: () => ({ get: () => 'always', inspect: () => ({ defaultValue: '' }) }),
  },
  Uri: { from: (parts: object) => parts, parse: (text: string) => text },
};
