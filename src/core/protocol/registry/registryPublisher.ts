import * as z from 'zod';
import { instant, optional } from '../wire';
import { registryText } from './registryText';

export type PublisherStatus = 'active' | 'banned' | (string & {});

/** A member of a publisher. Drops the e-mail address of the record, so that it goes nowhere. */
export interface PublisherUser {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

export interface PublisherMember {
  readonly id?: string | undefined;
  readonly role?: string | undefined;
  readonly user?: PublisherUser | undefined;
}

export interface Publisher {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly website?: string | undefined;
  readonly support?: string | undefined;
  readonly sourceCodeRepo?: string | undefined;
  readonly logo?: string | undefined;
  readonly status?: PublisherStatus | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number | undefined;
  readonly members?: readonly PublisherMember[] | undefined;
}

const user = z.object({ id: registryText, name: registryText }).transform((raw): PublisherUser => raw);

const member = z
  .object({ id: registryText, role: registryText, user: optional(user) })
  .transform((raw): PublisherMember => raw);

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
  .transform(({ source_code_repo, created_at, createdAt, ...raw }): Publisher => ({
    ...raw,
    sourceCodeRepo: source_code_repo,
    createdAt: createdAt ?? created_at,
  }));
