import { readdirSync, readFileSync } from 'node:fs';

/**
 * The process ids of the extension hosts of the VS Code that has this folder as its home: one for each window, and for
 * a moment none while it starts. Linux tells this under /proc.
 */
export function extensionHosts(home: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => has(pid, 'cmdline', '--type=extensionHost') && has(pid, 'environ', `HOME=${home}`));
}

/** Whether one of the texts between zero bytes is this. */
function has(pid: number, file: string, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').includes(text);
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
    return false;
  }
}
