import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeHtml } from '../../core/safety/escapeHtml';

/** The parts of a panel's page. */
export interface PanelPage {
  readonly title: string;
  /** Name of the script and of the styles in the folder of the panels. */
  readonly name: string;
  /**
   * What the page may load besides its own script and styles, as content security policy directives, such as
   * `media-src` to `blob:`.
   */
  readonly allows: Readonly<Record<string, string>>;
  /** A class that the body has initially. */
  readonly bodyClass?: string;
}

/** The folder of the built panels. */
export function panelFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** The title of a panel's tab. */
export function panelIcon(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
}

/** The address by which a panel loads one of its built files. */
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

/** What the page of a panel is written with; none of it is markup. */
export interface PanelHtml {
  readonly language: string;
  readonly title: string;
  /** A content security policy. */
  readonly policy: string;
  /** Addresses that the webview loads. */
  readonly styles: string;
  readonly script: string;
  readonly nonce: string;
  /** Our texts in the display language, which the page's `webview/ui/language.ts` reads. */
  readonly translations: object;
  readonly bodyClass: string;
}

export function panelHtml(page: PanelHtml): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(page.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(page.policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="translations" content="${escapeHtml(JSON.stringify(page.translations))}" />
    <title>${escapeHtml(page.title)}</title>
    <link rel="stylesheet" href="${escapeHtml(page.styles)}" />
  </head>
  <body class="${escapeHtml(page.bodyClass)}">
    <script nonce="${escapeHtml(page.nonce)}" src="${escapeHtml(page.script)}"></script>
  </body>
</html>
`;
}
