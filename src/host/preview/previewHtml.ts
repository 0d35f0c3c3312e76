/**
 * The page of the panel. Scripts run by nonce only, nothing is fetched from anywhere but the extension itself and the
 * folders that the panel was given, and there is no inline style.
 */
export function previewHtml(page: {
  cspSource: string;
  nonce: string;
  script: string;
  style: string;
}): string {
  const policy = [
    `default-src 'none'`,
    `img-src ${page.cspSource} blob:`,
    `media-src ${page.cspSource} blob:`,
    `style-src ${page.cspSource}`,
    `script-src 'nonce-${page.nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Comfy Deck Preview</title>
    <link rel="stylesheet" href="${page.style}" />
  </head>
  <body class="empty">
    <script nonce="${page.nonce}" src="${page.script}"></script>
  </body>
</html>
`;
}
