import type { Secrets } from '../../core/safety/secrets';

let known: Secrets | undefined;

/** Called once per window, when it opens. */
export function hideWhereShown(secrets: Secrets): void {
  known = secrets;
}

/** Text as it may be shown: the last place where a secret would be visible. */
export function withoutSecrets(words: string): string;
export function withoutSecrets(words: string | undefined): string | undefined;
export function withoutSecrets(words: string | undefined): string | undefined {
  return words === undefined ? undefined : (known?.hide(words) ?? words);
}

export function messageWithoutSecrets<T>(message: T): T {
  return known ? known.hideDeep(message) : message;
}
