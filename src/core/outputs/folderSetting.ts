import path from 'node:path';

/** What the setting for the output folder means. */
export type FolderSetting =
  | { readonly kind: 'folder'; /** Relative to the workspace folder. */ readonly path: string }
  /** The problem is one sentence without its subject: "… is outside the workspace folder." */
  | { readonly kind: 'problem'; readonly problem: string };

const fallback = 'outputs';

/** Reads the setting for the output folder; what lies on disk is not looked at. */
export function readFolderSetting(setting: string): FolderSetting {
  const wanted = setting.trim().replace(/^\$\{workspaceFolder\}(?:[/\\]+|$)/, '');
  if (setting.trim() === '') return { kind: 'folder', path: fallback };
  if (/\p{Cc}/u.test(wanted)) return problem('contains a control character.');
  if (/\$\{[^}]*\}/.test(wanted))
    return problem('contains a variable other than a leading ${workspaceFolder}.');
  if (/^~(?:[/\\]|$)/.test(wanted) || path.isAbsolute(wanted) || path.win32.isAbsolute(wanted)) {
    return problem('is outside the workspace folder.');
  }
  const segments = path.normalize(wanted).split(/[/\\]/);
  if (segments[0] === '..') return problem('is outside the workspace folder.');
  if (segments.some((segment) => segment.toLowerCase() === '.git')) return problem('belongs to Git.');
  return { kind: 'folder', path: wanted === '' ? '.' : wanted };
}

function problem(words: string): FolderSetting {
  return { kind: 'problem', problem: words };
}
