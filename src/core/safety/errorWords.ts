import { t } from './localize';

/** The code of a system error, such as `ENOENT`; empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A thrown error's message, and what to do next; empty if unknown. */
export function errorWords(error: unknown): { readonly message: string; readonly nextAction: string } {
  const message = error instanceof Error ? error.message : String(error);
  const hasAction = typeof error === 'object' && error !== null && 'nextAction' in error;
  return { message, nextAction: hasAction ? String(error.nextAction) : '' };
}

/** Why nothing can be done with a run whose record another program has locked. */
export function lockedWords(): string {
  return t`Another window or command is tracking this run and will save its outputs.`;
}
