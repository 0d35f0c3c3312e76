import * as z from 'zod';
import { instant, optional } from '../wire';
import { registryText } from './registryText';

/** Drops the e-mail address of the record, so that it goes nowhere. */
const user = z.object({ id: registryText, name: registryText });

const member = z.object({ id: registryText, role: registryText, user: optional(user) });

/** `PublisherStatusActive` -> `active`; unknown states keep their name, in lower case. */
export function stateName(prefix: string) {
  return registryText.transform((text) =>
    text === undefined
      ? undefined
      : (text.startsWith(prefix) ? text.slice(prefix.length) : text).toLowerCase(),
  );
}

export const publisher = z
  .object({
    id: registryText,
    name: registryText,
    description: registryText,
    website: registryText,
    support: registryText,
    source_code_repo: registryText,
    logo: registryText,
    status: stateName('PublisherStatus'),
    createdAt: optional(instant),
    created_at: optional(instant),
    members: optional(
      z.array(z.unknown()).transform((items) => items.flatMap((item) => member.safeParse(item).data ?? [])),
    ),
  })
  .transform(({ source_code_repo, created_at, createdAt, ...raw }) => ({
    ...raw,
    sourceCodeRepo: source_code_repo,
    createdAt: createdAt ?? created_at,
  }));
