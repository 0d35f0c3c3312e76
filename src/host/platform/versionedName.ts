import type * as vscode from 'vscode';
import { t } from '../../core/safety/localize';

/** The name of a file, with the version that a document of VS Code's Git extension shows: `flow.json (HEAD)`. */
export function versionedName({ scheme, path, query }: vscode.Uri): string {
  const name = path.split('/').at(-1) ?? path;
  const ref = scheme === 'git' ? /"ref":"([^"]*)"/.exec(query)?.[1] : undefined;
  if (ref === undefined) return name;
  // The index is empty, or `~` beside the file.
  const version = /^~?$/.test(ref) ? t`Index` : /^[0-9a-f]{40,64}$/.test(ref) ? ref.slice(0, 7) : ref;
  return `${name} (${version})`;
}
