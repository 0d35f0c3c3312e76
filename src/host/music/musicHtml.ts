/**
 * The page of the panel. Scripts run by nonce only; WebAssembly may be compiled, for the decoder of VS Code builds
 * without AAC; files come from the extension and from the folders that the panel was given, as blobs where they are
 * played or run in a worker.
 */
export function musicHtml(page: { cspSource: string; nonce: string; script: string; style: string }): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${page.nonce}' 'wasm-unsafe-eval'`,
    `style-src ${page.cspSource}`,
    `connect-src ${page.cspSource} blob:`,
    `media-src blob:`,
    `worker-src blob:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Comfy Deck Music</title>
    <link rel="stylesheet" href="${page.style}" />
  </head>
  <body>
    <script nonce="${page.nonce}" src="${page.script}"></script>
  </body>
</html>
`;
}
