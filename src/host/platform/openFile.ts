import * as vscode from 'vscode';

/** Drawings, pages and notebooks: what can hold a program of its own. */
const active = /\.(svgz?|html?|xhtml|xht|shtml|xml|xslt?|mhtml?|ipynb)$/i;

/**
 * Opens a file inside VS Code, whatever it is: never by the system, which might run it. What can hold a program of its
 * own opens as text, also where an extension would show it as what it claims to be.
 */
export async function openFile(
  file: vscode.Uri,
  options: { readonly preview?: boolean } = {},
): Promise<void> {
  if (active.test(file.path))
    await vscode.commands.executeCommand('vscode.openWith', file, 'default', options);
  else await vscode.commands.executeCommand('vscode.open', file, options);
}

/** Shows where a file lies, in the explorer or in the system's file manager; it is not opened. */
export async function revealFile(file: vscode.Uri): Promise<void> {
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  await vscode.commands.executeCommand(isInWorkspace ? 'revealInExplorer' : 'revealFileInOS', file);
}

/** Opens an https page in the browser; VS Code asks first, unless the user trusts the place. */
export async function openPage(address: string): Promise<void> {
  const page = vscode.Uri.parse(address, true);
  if (page.scheme === 'https') await vscode.env.openExternal(page);
}
