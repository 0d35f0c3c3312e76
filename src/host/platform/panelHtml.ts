import { escapeHtml } from '../../core/safety/escapeMarkdown';

/** The texts of a panel's page; none of them is markup. */
export interface PanelHtml {
  readonly language: string;
  readonly title: string;
  readonly policy: string;
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
