import * as z from 'zod';

/** A field that is nice to have: a wrong shape or null counts as missing and breaks nothing. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

export const record = z.record(z.string(), z.unknown());

/** Node ids are texts; a few senders write them as numbers. */
export const nodeIdText = z.union([z.string(), z.number().transform(String)]);

/**
 * A point in time as milliseconds since the epoch. One copy of the contract speaks of seconds (protocol 2.1):
 * what would lie before 1973 in milliseconds is seconds. ISO texts come from the status endpoint (protocol 1.6).
 */
export const instant = z.union([
  z.number().transform((value) => (value < 1e11 ? Math.round(value * 1000) : value)),
  z
    .string()
    .transform((value) => Date.parse(value))
    .refine((value) => !Number.isNaN(value)),
]);

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
