import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelHtml } from './panelHtml';

export interface PanelPage {
  readonly title: string;
  readonly name: string;
  /** Content security policy directives besides the page's own, such as `media-src` to `blob:`. */
  readonly allows: Readonly<Record<string, string>>;
  readonly bodyClass?: string;
}

export function panelFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

export function panelIcon(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
}

export function panelResource(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  ...file: readonly string[]
): string {
  return webview.asWebviewUri(vscode.Uri.joinPath(panelFolder(extensionUri), ...file)).toString();
}

/** The page of a panel. Scripts run only by nonce, there is no inline style, and only what the page names is loaded. */
export function panelPage(webview: vscode.Webview, extensionUri: vscode.Uri, page: PanelPage): string {
  const nonce = randomBytes(18).toString('base64');
  const { 'script-src': scripts = '', ...others } = page.allows;
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' ${scripts}`.trimEnd(),
    `style-src ${webview.cspSource}`,
    ...Object.entries(others).map(([directive, sources]) => `${directive} ${sources}`),
  ].join('; ');
  return panelHtml({
    language: vscode.env.language,
    title: page.title,
    policy,
    styles: panelResource(webview, extensionUri, `${page.name}.css`),
    script: panelResource(webview, extensionUri, `${page.name}.js`),
    nonce,
    translations: vscode.l10n.bundle ?? {},
    bodyClass: page.bodyClass ?? '',
  });
}
