import * as z from 'zod';
import { budgets } from '../safety/budgets';

/** The type of what a schema reads: what may be undefined may be missing, and nothing changes. */
export type Kept<T> = T extends readonly (infer Item)[]
  ? readonly Kept<Item>[]
  : T extends object
    ? { readonly [K in keyof T as undefined extends T[K] ? never : K]: Kept<T[K]> } & {
        readonly [K in keyof T as undefined extends T[K] ? K : never]?: Kept<T[K]>;
      }
    : T;

/** An optional field: a wrong type or null counts as missing and breaks nothing. */
export function wireOptional<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

/** An object of any members, which are not copied: there may be a million of them. */
export const wireObject = z.custom<Record<string, unknown>>(isRecord);

export const wireTexts = z.custom<string[]>(
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
);

/**
 * A list that is read up to its first wrong item, because explaining a million of them would take minutes and
 * gigabytes. Lists and objects from outside whose items have a shape are read by this or {@link wireRecord}.
 */
export function wireList<T>(item: z.ZodType<T>) {
  return z
    .custom<unknown[]>(Array.isArray)
    .transform((items, context) => [...eachOf(item, items.entries(), context)].map(([, value]) => value));
}

/** An object of at most `budgets.members` members, which is read like {@link wireList}. */
export function wireRecord<T>(member: z.ZodType<T>) {
  const few = wireObject.refine((members) => Object.keys(members).length <= budgets.members, { abort: true });
  return few.transform((members, context) => Object.fromEntries(eachOf(member, membersOf(members), context)));
}

/** One at a time: all pairs of a million members take a second, their names a quarter of it. */
function* membersOf(members: Readonly<Record<string, unknown>>): Generator<readonly [string, unknown]> {
  for (const name of Object.keys(members)) yield [name, members[name]];
}

function* eachOf<K extends PropertyKey, T>(
  schema: z.ZodType<T>,
  values: Iterable<readonly [K, unknown]>,
  context: z.RefinementCtx,
): Generator<[K, T]> {
  for (const [key, value] of values) {
    const read = schema.safeParse(value);
    if (!read.success) {
      const [issue] = read.error.issues;
      context.addIssue({ code: 'custom', message: issue?.message, path: [key, ...(issue?.path ?? [])] });
      return;
    }
    yield [key, read.data];
  }
}

/** Node ids are texts; some senders write them as numbers. */
export const nodeIdText = z.union([z.string(), z.number().transform(String)]);

/** A node id; an empty text, null and a missing value all mean that there is none. */
export const namedNode = wireOptional(nodeIdText).transform((id) => (id === '' ? undefined : id));

/** The range of a `Date`: formatting anything beyond throws. */
const latestInstant = 8.64e15;

/**
 * A point in time as milliseconds since the epoch. One copy of the contract specifies seconds (protocol 2.1): values
 * before 1973 in milliseconds are seconds. The status endpoint sends ISO texts (protocol 1.6).
 */
export const wireInstant = z.union([
  z
    .number()
    .transform((value) => (value < 1e11 ? Math.round(value * 1000) : value))
    .refine((value) => Math.abs(value) <= latestInstant),
  z
    .string()
    .transform((value) => Date.parse(value))
    .refine((value) => !Number.isNaN(value)),
]);

/** Longer than any job's id, which becomes part of addresses and command lines. */
const longestJobId = 200;

/** Whether an id can be used to ask about a job: all of it is visible, and it stays one segment of an address. */
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
