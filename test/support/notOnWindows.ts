/** Whether a test is left out here, for a reason that stands next to its name: what it does can't be done on Windows. */
export function notOnWindows(reason: string): boolean {
  return reason !== '' && process.platform === 'win32';
}
