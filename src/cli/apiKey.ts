import { t } from '../core/safety/localize';
import { CommandProblem } from './commandProblem';
import type { Terminal } from './terminal';

/**
 * The key in the environment variable that the arguments name; undefined if they name none.
 * @throws CommandProblem when it contains no key
 */
export function apiKey(name: string | undefined, { env }: Pick<Terminal, 'env'>): string | undefined {
  if (name === undefined) return undefined;
  const key = env[name]?.trim() ?? '';
  if (key !== '') return key;
  const nextAction = t`Set the variable to your API key, or specify another one.`;
  throw new CommandProblem(t`The environment variable ${name} isn't set.`, nextAction, 'usage');
}
