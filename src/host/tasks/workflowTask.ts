export const taskType = 'comfyDeck';

export interface WorkflowTask {
  readonly command: 'run' | 'validate' | 'batch';
  /** A path relative to the workspace folder, an absolute one, or a glob pattern such as `workflows/*.json`. */
  readonly file: string;
  readonly seeds: 'keep' | 'new';
}

/** Undefined for a definition that is not ours or incomplete: VS Code says so at its place in tasks.json. */
export function readTask(definition: Readonly<Record<string, unknown>>): WorkflowTask | undefined {
  const { type, command, file, seeds } = definition;
  if (type !== taskType || typeof file !== 'string' || file.trim() === '') return undefined;
  if (command !== 'run' && command !== 'validate' && command !== 'batch') return undefined;
  return { command, file, seeds: seeds === 'new' ? 'new' : 'keep' };
}

export function isTaskPattern(file: string): boolean {
  return /[*?{[]/.test(file);
}
