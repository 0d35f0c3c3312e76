import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

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
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="translations" content="${translations()}" />
    <title>${page.title}</title>
    <link rel="stylesheet" href="${panelResource(webview, extensionUri, `${page.name}.css`)}" />
  </head>
  <body class="${page.bodyClass ?? ''}">
    <script nonce="${nonce}" src="${panelResource(webview, extensionUri, `${page.name}.js`)}"></script>
  </body>
</html>
`;
}

/** Our texts in the display language, as an attribute value that `webview/ui/language.ts` reads. */
function translations(): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };
  return JSON.stringify(vscode.l10n.bundle ?? {}).replace(/[&"<]/g, (mark) => entities[mark] ?? mark);
}
