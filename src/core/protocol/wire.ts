import * as z from 'zod';

/** A field that is nice to have: a wrong shape or null counts as missing and breaks nothing. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

export const record = z.record(z.string(), z.unknown());

/** Node ids are texts; a few senders write them as numbers. */
export const nodeIdText = z.union([z.string(), z.number().transform(String)]);

/** A node id where an empty text, null and nothing at all mean that no node is named. */
export const namedNode = optional(nodeIdText).transform((id) => (id === '' ? undefined : id));

/** What a `Date` can hold: anything beyond throws where it is put into words. */
const latestInstant = 8.64e15;

/**
 * A point in time as milliseconds since the epoch. One copy of the contract speaks of seconds (protocol 2.1):
 * what would lie before 1973 in milliseconds is seconds. ISO texts come from the status endpoint (protocol 1.6).
 */
export const instant = z.union([
  z
    .number()
    .transform((value) => (value < 1e11 ? Math.round(value * 1000) : value))
    .refine((value) => Math.abs(value) <= latestInstant),
  z
    .string()
    .transform((value) => Date.parse(value))
    .refine((value) => !Number.isNaN(value)),
]);

/** Longer than the id of any job; it is part of addresses and of command lines. */
const longestJobId = 200;

/**
 * Whether a job can be asked about by this id: something is seen of all of it, and as a part of an address it leads
 * nowhere else.
 */
export function isJobId(text: string): boolean {
  return (
    text.length <= longestJobId &&
    /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u.test(text) &&
    !/^(\.\.?|\s*)$/.test(text)
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
