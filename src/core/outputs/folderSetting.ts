import path from 'node:path';
import { t } from '../safety/localize';

/** The meaning of the output folder setting. */
export type FolderSetting =
  | { readonly kind: 'folder'; /** Relative to the workspace folder. */ readonly path: string }
  /** The problem is one sentence. */
  | { readonly kind: 'problem'; readonly problem: string };

const fallback = 'outputs';

/** Parses the output folder setting without looking at the disk. */
export function readFolderSetting(setting: string): FolderSetting {
  const wanted = setting.trim().replace(/^\$\{workspaceFolder\}(?:[/\\]+|$)/, '');
  if (setting.trim() === '') return { kind: 'folder', path: fallback };
  const named = JSON.stringify(setting);
  if (/\p{Cc}/u.test(wanted)) return problem(t`The output folder ${named} contains a control character.`);
  if (/\$\{[^}]*\}/.test(wanted))
    return problem(
      t`The output folder ${named} contains a variable other than a leading \${workspaceFolder}.`,
    );
  if (/^~(?:[/\\]|$)/.test(wanted) || path.isAbsolute(wanted) || path.win32.isAbsolute(wanted)) {
    return problem(outside(named));
  }
  const segments = path.normalize(wanted).split(/[/\\]/);
  if (segments[0] === '..') return problem(outside(named));
  if (segments.some((segment) => segment.toLowerCase() === '.git'))
    return problem(t`The output folder ${named} is inside a .git folder.`);
  return { kind: 'folder', path: wanted === '' ? '.' : wanted };
}

function outside(named: string): string {
  return t`The output folder ${named} is outside the workspace folder.`;
}

function problem(sentence: string): FolderSetting {
  return { kind: 'problem', problem: sentence };
}
