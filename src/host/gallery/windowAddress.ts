/** `<scheme>+<authority>.vscode-resource.…`; what is no letter or digit of the authority is `-` and four digits. */
const inWebviews = /^([a-z][a-z0-9.-]*)\+((?:[a-z0-9]|-[0-9a-f]{4})*)\.vscode-resource\./i;

/**
 * How addresses of files begin in the window. A remote extension host calls its files `file:`, and VS Code tells the
 * name of the remote only in addresses for webviews.
 * @param authority of the address of such a file for a webview
 * @returns undefined if it does not tell
 */
export function startInWindow(
  authority: string,
): { readonly scheme: string; readonly authority: string } | undefined {
  const [, scheme, encoded] = inWebviews.exec(authority) ?? [];
  if (scheme === undefined || encoded === undefined) return undefined;
  const decoded = encoded.replaceAll(/-([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  return { scheme, authority: decoded };
}
