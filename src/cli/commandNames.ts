/** In the order of the help, whose texts are loaded only for it. */
export const commandNames = [
  'run',
  'batch',
  'rerun',
  'show',
  'jobs',
  'fetch',
  'wait',
  'cancel',
  'forget',
  'upload',
  'validate',
  'test',
  'music',
  'review',
  'sandbox',
  'convert',
  'extract',
  'diff',
  'print',
  'graph',
  'git-setup',
  'completion',
] as const;

export type CommandName = (typeof commandNames)[number];

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export function isCommandName(text: string | undefined): text is CommandName {
  return commandNames.some((name) => name === text);
}
