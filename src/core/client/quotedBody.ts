import { parseExact } from '../json/exactReader';
import { writeExact } from '../json/exactWriter';
import type { QuotedSecrets } from '../safety/quotedSecrets';

/** The body of an answer without secrets. JSON is parsed for it, so that no escape hides one; its digits are kept. */
export function withoutSecrets(bodyText: string, quoted: QuotedSecrets): string {
  if (!quoted.secrets.occursIn(bodyText)) return bodyText;
  try {
    return writeExact(quoted.hide(parseExact(bodyText)));
  } catch {
    return quoted.hide(bodyText);
  }
}
