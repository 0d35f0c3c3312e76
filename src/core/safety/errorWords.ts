/** The code of an error of the system, such as `ENOENT`; empty where it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What a thrown error says, and what to do next; empty where it does not say. */
export function errorWords(error: unknown): { readonly message: string; readonly nextAction: string } {
  const message = error instanceof Error ? error.message : String(error);
  const hasAction = typeof error === 'object' && error !== null && 'nextAction' in error;
  return { message, nextAction: hasAction ? String(error.nextAction) : '' };
}
