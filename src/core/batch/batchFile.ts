import { isPathBelow } from '../safety/paths';
import * as z from 'zod';
import type { JsonNode, JsonRange } from '../json/node';
import { sourceTextIn } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { budgets } from '../safety/budgets';
import { numberText, sentencesText, t } from '../safety/localize';
import type { AxisSource } from './axisSource';
import { planProblemText, type PlanProblem } from './batchProblem';

/** Offsets are in UTF-16 units. */
export interface BatchFinding extends JsonRange {
  readonly message: string;
  /** The batch can run all the same. */
  readonly isWarning?: boolean;
}

/** See docs/batch.md. */
export interface BatchSpec {
  /** How many times each combination runs with new seeds. */
  readonly count?: number | undefined;
  /** In the order of the axes: the last one changes fastest. */
  readonly set: readonly BatchSetting[];
  readonly servers?: readonly string[] | undefined;
  /** How many jobs each server has at a time. */
  readonly window?: number | undefined;
  readonly stopAfterErrors?: number | undefined;
}

export interface BatchSetting {
  readonly selector: string;
  readonly source: AxisSource;
}

export interface BatchFile extends BatchSpec {
  readonly kind: 'batch';
  readonly workflow: string;
  /** The place where each input is named, for problems that planning finds. */
  readonly places: ReadonlyMap<string, JsonRange>;
  /** The places of its members' values, such as that of `workflow`. */
  readonly members: ReadonlyMap<string, JsonRange>;
}

export interface InvalidBatchFile {
  readonly kind: 'invalid';
  readonly findings: readonly BatchFinding[];
}

export const batchDefaults = { window: 2, stopAfterErrors: 3 } as const;

export const pathWords = (): string =>
  t`The path must be relative to the batch file, stay within its folder, and use forward slashes.`;

const path = z.string().refine(isPathBelow, { error: pathWords });
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const source = z.union([
  scalar,
  z.array(z.unknown()).min(1),
  z.strictObject({ from: z.number(), to: z.number(), step: z.number().optional() }),
  z.strictObject({ lines: path }),
  z.strictObject({ csv: path, column: z.string() }),
  z.strictObject({ options: z.literal(true) }),
  z.strictObject({ prompt: z.string() }),
]);
const schema = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal(1),
  workflow: path,
  count: z.int().min(1).max(budgets.batchRows).optional(),
  set: z.record(z.string(), source).optional(),
  servers: z.array(z.string()).min(1).optional(),
  window: z.int().min(1).max(budgets.batchWindow).optional(),
  stopAfterErrors: z.int().min(1).optional(),
});

/** Values keep every digit. */
export function readBatchFile(text: string): BatchFile | InvalidBatchFile {
  const { root, problems } = parseJson(text);
  // Servers tolerate names that occur twice; here one of the values would be missing silently.
  if (root === undefined || problems.length > 0) return invalid(problems);
  const set = within(root, ['set']);
  const settings = set?.kind === 'object' ? set.properties : [];
  const read = schema.safeParse(JSON.parse(text));
  if (!read.success) return invalid(read.error.issues.map((issue) => findingOf(issue, root)));
  const { workflow, count, servers, window, stopAfterErrors } = read.data;
  return {
    kind: 'batch',
    workflow,
    count,
    servers,
    window,
    stopAfterErrors,
    set: settings.flatMap(({ name, value }) =>
      value ? [{ selector: name, source: sourceOf(text, value) }] : [],
    ),
    places: new Map(settings.map(({ name, key }) => [name, key])),
    members: new Map(
      root.kind === 'object'
        ? root.properties.flatMap(({ name, value }) => (value ? [[name, value] as const] : []))
        : [],
    ),
  };
}

function sourceOf(text: string, node: JsonNode): AxisSource {
  if (node.kind === 'array')
    return { kind: 'values', texts: node.items.map((item) => sourceTextIn(text, item)) };
  if (node.kind !== 'object') return { kind: 'values', texts: [sourceTextIn(text, node)] };
  const member = (name: string): string => {
    const value = node.get(name);
    return value?.kind === 'string' ? value.value : value ? sourceTextIn(text, value) : '';
  };
  if (node.get('from')) {
    const step = node.get('step') ? member('step') : undefined;
    return { kind: 'range', from: member('from'), to: member('to'), step };
  }
  if (node.get('lines')) return { kind: 'lines', file: member('lines') };
  if (node.get('csv')) return { kind: 'csv', file: member('csv'), column: member('column') };
  return node.get('options') ? { kind: 'options' } : { kind: 'prompt', text: member('prompt') };
}

export function batchFileFindings(problems: readonly PlanProblem[], file: BatchFile): BatchFinding[] {
  const placeOf = (selector: string | undefined, member: string): JsonRange => {
    const named = selector === undefined ? undefined : file.places.get(selector);
    const { offset, length } = named ?? file.members.get(member) ?? { offset: 0, length: 1 };
    return { offset, length };
  };
  return problems.map((problem) => ({
    message: sentencesText(planProblemText(problem), problem.nextAction),
    ...placeOf(problem.selector, problem.member),
    ...(problem.doubtful !== undefined && { isWarning: true }),
  }));
}

function findingOf(issue: z.core.$ZodIssue, root: JsonNode): BatchFinding {
  const names = issue.path.map(String);
  const at = unknownKey(issue, root) ?? within(root, names) ?? within(root, names.slice(0, -1)) ?? root;
  const { offset, length } = at === root ? { offset: root.offset, length: 1 } : at;
  return { message: wordsOf(issue.code, names, issue.message), offset, length };
}

function unknownKey(issue: z.core.$ZodIssue, root: JsonNode): JsonRange | undefined {
  if (issue.code !== 'unrecognized_keys' || issue.path.length > 0 || root.kind !== 'object') return undefined;
  return root.properties.find(({ name }) => issue.keys.includes(name))?.key;
}

/** The messages of the library are for developers, and English only. */
function wordsOf(code: z.core.$ZodIssue['code'], names: readonly string[], message: string): string {
  const [member = '', selector] = names;
  if (code === 'custom') return message;
  if (code === 'unrecognized_keys' && names.length === 0)
    return t`A batch file can contain only format, workflow, count, set, servers, window, and stopAfterErrors.`;
  switch (member) {
    case '':
      return t`A batch file must be an object with format, workflow, and set.`;
    case 'format':
      return t`The format must be 1.`;
    case 'workflow':
      return pathWords();
    case 'set':
      if (selector === undefined) return t`"set" must be an object that maps input names to values.`;
      return t`The values of ${selector} must be a list, a value, or one of {"from", "to", "step"}, {"lines"}, {"csv", "column"}, {"options": true}, and {"prompt"}.`;
    case 'servers':
      return t`The servers must be a list of addresses, "cloud", or "sandbox".`;
    case 'count':
    case 'window': {
      const most = numberText(member === 'count' ? budgets.batchRows : budgets.batchWindow);
      return t`The value of ${member} must be a whole number from 1 to ${most}.`;
    }
    default:
      return t`The value of ${member} must be a whole number of 1 or more.`;
  }
}

function within(root: JsonNode, names: readonly string[]): JsonNode | undefined {
  return names.reduce<JsonNode | undefined>((node, name) => {
    if (node?.kind === 'object') return node.get(name);
    return node?.kind === 'array' ? node.items[Number(name)] : undefined;
  }, root);
}

function invalid(findings: readonly BatchFinding[]): InvalidBatchFile {
  return { kind: 'invalid', findings };
}
