import { parseExact } from '../json/boundedJson';
import { writeExact } from '../json/exactWriter';
import type { QuotedSecrets } from '../safety/secrets';

/** An answer's body without secrets. JSON is parsed, so that no escape hides a secret; digits are kept. */
export function bodyWithoutSecrets(bodyText: string, quoted: QuotedSecrets): string {
  if (!quoted.secrets.mayOccurIn(bodyText)) return bodyText;
  try {
    return writeExact(quoted.hide(parseExact(bodyText)));
  } catch {
    return quoted.hide(bodyText);
  }
}
