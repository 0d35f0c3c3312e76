import type { Terminal } from './terminal';
import { t } from '../core/safety/localize';

/** The key in the environment variable that the arguments name; undefined if they name none, or it is empty. */
export function apiKey(name: string | undefined, { env }: Pick<Terminal, 'env'>): string | undefined {
  const key = name === undefined ? '' : (env[name]?.trim() ?? '');
  return key === '' ? undefined : key;
}

/** The error when the environment variable that the arguments name contains no key. */
export function keyNotSet(name: string): { readonly message: string; readonly nextAction: string } {
  return {
    message: t`The environment variable ${name} isn't set.`,
    nextAction: t`Set the variable to your API key, or specify another one.`,
  };
}
