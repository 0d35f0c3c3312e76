import { ServerError } from '../protocol/serverError';
import { t } from '../safety/localize';

export type Credential =
  { readonly kind: 'apiKey'; readonly value: string } | { readonly kind: 'bearer'; readonly value: string };

/** Called before every request, so that a new sign-in takes effect at once. */
export type CredentialSource = () => Promise<Credential | undefined>;

export function carriesKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => /^(?:x-api-key|authorization)$/i.test(name));
}

/** Header of a credential (protocol 1.1). Throws before a stack can quote a broken value in its own error. */
export function credentialHeader(credential: Credential, endpoint: string): Readonly<Record<string, string>> {
  const value = credential.value.trim();
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new ServerError(t`The stored key contains characters that are not allowed in a key.`, {
      reason: 'unauthorized',
      endpoint,
    });
  }
  return credential.kind === 'apiKey' ? { 'X-API-Key': value } : { Authorization: `Bearer ${value}` };
}
