import { withoutEnd } from '../core/safety/ends';

/** The shell whose quotes a printed command has. */
export type ShellKind = 'posix' | 'cmd' | 'powershell';

/** Guesses from variables: PowerShell adds a folder of the user, and Git Bash names its system. */
export function shellKind(
  env: Readonly<Record<string, string | undefined>> = process.env,
  system: NodeJS.Platform = process.platform,
): ShellKind {
  if (system !== 'win32') return 'posix';
  const modules = env['PSModulePath']?.split(';').filter(Boolean);
  if (modules && modules.length > 2) return 'powershell';
  return env['MSYSTEM'] === undefined ? 'cmd' : 'posix';
}

/** Quotes words from servers for pasting: double quotes mean the same in all shells for most words. */
export function commandLine(words: readonly string[], shell = shellKind()): string {
  return words.map((word) => quotedWord(word.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ''), shell)).join(' ');
}

function quotedWord(word: string, shell: ShellKind): string {
  // Excludes "," and a leading "@", which PowerShell takes for lists.
  if (/^[\w+=:./-][\w@+=:./-]*$/.test(word)) return word;
  const isWindows = shell !== 'posix';
  if (isWindows && /^[\w.-][\w.:\\-]*[\w.-]$/.test(word)) return word;
  const special = { posix: /["$`!\\]/, cmd: /["%]/, powershell: /["$`“”„]/ }[shell];
  if (!special.test(word)) return `"${isWindows ? closing(word) : word}"`;
  if (shell === 'posix') return `'${word.replaceAll("'", `'\\''`)}'`;
  // In cmd, a backslash doesn't escape: a doubled quote stays within the quotes, and a variable is replaced even there.
  if (shell === 'cmd') return `"${word.split('%').map(quotedTwice).join('"^%"')}"`;
  // A program gets its quotes escaped, because Windows PowerShell doesn't add that.
  return `'${word
    .split('"')
    .map(closing)
    .join('\\"')
    .replace(/['‘’‚‛]/g, '$&$&')}'`;
}

function quotedTwice(text: string): string {
  return text.split('"').map(closing).join('""');
}

/** A backslash before a quote would take away its meaning: those at the end of a text are doubled. */
function closing(text: string): string {
  return text + text.slice(withoutEnd(text, '\\').length);
}
