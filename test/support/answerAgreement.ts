import type { ReplayedRequest } from './transcriptReplay';

/**
 * The structure of an answer: kinds of values by path. Lists are treated as a whole, so their lengths do not count;
 * names of nodes and inputs do, since the requests are the same.
 */
type Kinds = ReadonlyMap<string, ReadonlySet<string>>;

/** Where an answer of the sandbox differs from the recorded one; empty if they match. */
export function answerDifferences(
  { recorded, answer }: ReplayedRequest,
  ids: ReadonlyMap<string, string>,
): string[] {
  if (answer.status !== recorded.status) return [`status ${answer.status} instead of ${recorded.status}`];
  const found: string[] = [];
  const type = (recorded.type ?? '').split(';')[0] ?? '';
  // The recorder gives an answer without a type its library's default.
  const isNamed = type !== '' && !(type === 'application/octet-stream' && recorded.bytes === 0);
  if (isNamed && answer.type !== type) found.push(`type ${answer.type} instead of ${type}`);
  if (recorded.bytes === 0 && recorded.method !== 'HEAD' && answer.body.byteLength > 0) found.push('a body');
  if (recorded.text !== undefined && !recorded.text.startsWith('{')) {
    const text = answer.body.toString('utf8');
    if (text !== recorded.text) found.push(`text ${JSON.stringify(text.slice(0, 80))}`);
  }
  const theirs = recorded.body ?? looseBody(recorded.text);
  if (theirs === undefined || recorded.body_cut !== undefined || isOwnData(recorded.path)) return found;
  const mine = looseBody(answer.body.toString('utf8'));
  return [
    ...found,
    ...errorDifferences(mine, theirs),
    ...kindDifferences(mine, theirs, ids, recorded.path.startsWith('/object_info/')),
  ];
}

/**
 * Members of node definitions that only affect how an input is shown. The sandbox writes its own descriptions, so
 * they are not compared, neither in the definitions nor where an error quotes them.
 */
const shownOnly =
  /\.(tooltip|step|round|display|multiline|placeholder|control_after_generate|search_aliases|essentials_category|output_tooltips|output_matchtypes|price_badge|dev_only|experimental|deprecated|api_node|dynamicPrompts)\b/;

function isShownOnly(path: string, ofDefinition: boolean): boolean {
  return shownOnly.test(path) && (ofDefinition || path.includes('.input_config[]'));
}

/** Answers that depend on what the sandbox has: only status and type are compared. */
const ownNames = ['/node_replacements', '/object_info'];

function isOwnData(path: string): boolean {
  return ownNames.some((own) => path === own);
}

function kindDifferences(
  mine: unknown,
  theirs: unknown,
  ids: ReadonlyMap<string, string>,
  ofDefinition: boolean,
): string[] {
  const [left, right] = [kindsOf(mine, new Map()), kindsOf(theirs, ids)];
  const found: string[] = [];
  for (const path of new Set([...left.keys(), ...right.keys()])) {
    if (isShownOnly(path, ofDefinition)) continue;
    const [a, b] = [left.get(path), right.get(path)];
    if (!a) found.push(`lacks ${path}`);
    else if (!b) found.push(`has ${path} besides`);
    else if (![...a].some((kind) => b.has(kind)))
      found.push(`${path}: ${[...a].join()} instead of ${[...b].join()}`);
  }
  // Anything inside a missing value, or in a list that is empty on one side, is not a separate difference.
  const emptyLists = [...left, ...right].filter(([, kinds]) => kinds.has('empty list')).map(([path]) => path);
  const roots = found.filter((text) => !emptyLists.some((path) => text.includes(`${path}[]`)));
  return roots.filter((text) => !roots.some((other) => other !== text && text.startsWith(other)));
}

function kindsOf(value: unknown, ids: ReadonlyMap<string, string>): Kinds {
  const kinds = new Map<string, Set<string>>();
  const visit = (at: unknown, path: string): void => {
    const known = kinds.get(path) ?? new Set();
    kinds.set(path, known);
    if (Array.isArray(at)) {
      known.add('list');
      if (at.length === 0) known.add('empty list');
      for (const item of at) visit(item, `${path}[]`);
    } else if (typeof at === 'object' && at !== null) {
      known.add('object');
      for (const [name, member] of Object.entries(at)) visit(member, `${path}.${ids.get(name) ?? name}`);
    } else known.add(at === null ? 'null' : typeof at);
  };
  visit(value, '');
  return kinds;
}

function errorDifferences(mine: unknown, theirs: unknown): string[] {
  const [left, right] = [errorsIn(mine), errorsIn(theirs)];
  return JSON.stringify(left) === JSON.stringify(right)
    ? []
    : [`errors ${JSON.stringify(left)} instead of ${JSON.stringify(right)}`];
}

function errorsIn(body: unknown): string[] {
  const { error, node_errors: nodeErrors } = record(body);
  if (typeof error === 'string') return [error];
  const nodes = Object.entries(record(nodeErrors)).flatMap(([id, node]) => {
    const errors = record(node)['errors'];
    return (Array.isArray(errors) ? errors : []).map((each) => `${id} ${wordsOf(each)}`);
  });
  return [...(error === undefined ? [] : [wordsOf(error)]), ...nodes.sort()];
}

function wordsOf(error: unknown): string {
  const { type, message } = record(error);
  return `${String(type)}: ${String(message)}`;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function looseBody(text: string | undefined): unknown {
  if (text === undefined || !/^[[{]/.test(text)) return undefined;
  return JSON.parse(text.replace(/(?<=[:[,] ?)-?(NaN|Infinity)(?=\s*[,\]}])/g, '0')) as unknown;
}
