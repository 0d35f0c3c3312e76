import { readdirSync, readFileSync } from 'node:fs';

/**
 * The process ids of the extension hosts of the VS Code with this folder as its home: one per window, and for a
 * moment none while it starts. Linux lists them under /proc.
 */
export function extensionHosts(home: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => has(pid, 'cmdline', '--type=extensionHost') && has(pid, 'environ', `HOME=${home}`));
}

/** Whether one of the texts between zero bytes equals this. */
function has(pid: number, file: string, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').includes(text);
  } catch {
    // The process has ended meanwhile, or belongs to another user.
    return false;
  }
}
