import type { Catalog } from '../../catalog/catalog';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { CheckContext } from '../checkContext';
import { type NodeOrigin, originFrom } from '../nodeOrigin';
import { guessNodePack } from '../packHints';
import type { NodeView } from '../promptView';
import { classPlace, checkedNodeName, type PromptRule, type Report } from '../rule';
import { groupByKey } from '../../workflow/graph/grouped';
import { promptNodeIdentity } from '../../workflow/packIdentity';
import { isNewer } from '../serverVersion';
import { type AliasSource, isSlip, similarNames } from '../similarNames';
import { listWithAnd, nodesInWords, withProposal } from '../wording';
import { nodeTypesText } from '../../safety/countText';
import { t } from '../../safety/localize';

/** `originOf` is absent for prompts, whose nodes say it themselves. */
type UnknownClassOptions = Pick<
  CheckContext,
  'aliases' | 'originOf' | 'isSandbox' | 'serverVersion' | 'replacements'
>;

/** A node type that the server lacks, with the nodes that use it. */
interface MissingClass {
  readonly classType: string;
  readonly group?: string | undefined;
  readonly nodes: readonly [NodeView, ...NodeView[]];
  readonly origin: NodeOrigin;
  readonly pack: string | undefined;
  /** The server lists the type, but sent an invalid definition, such as null. */
  readonly isListed: boolean;
  readonly names: readonly string[];
  readonly reason: string | undefined;
}

const mostRelated = 20;
const mostListed = 100;
const mostNamed = 6;

/**
 * Unknown node types, all at once (the server reports only the first), each once, with similar names and the likely
 * pack. The sandbox lacks most node types of most files: there, one line lists them, and only typos are reported
 * individually. Comparing names scans all node types, so each unknown one is looked up once, and at most a few dozen
 * are.
 */
export function unknownClasses(options: UnknownClassOptions): PromptRule {
  return ({ view, server }, report) => {
    const { catalog } = view;
    if (!catalog) return;
    const missing = missingClasses(view.nodes.values(), catalog, options);
    const isTold = ({ classType, origin, names }: MissingClass): boolean =>
      options.isSandbox !== true ||
      (origin.pack === undefined && names[0] !== undefined && isSlip(classType, names[0]));
    const told = missing.filter(isTold);
    for (const each of told) if (each.group === undefined) reportClass(each, server, report);
    for (const inside of groupByKey(told, ({ group }) => group).values())
      reportInside(inside, server, report);
    const others = missing.filter((each) => !isTold(each));
    const start = view.prompt.root?.offset ?? 0;
    if (others.length > 0) reportAll(others, start, report);
  };
}

function missingClasses(
  nodes: Iterable<NodeView>,
  catalog: Catalog,
  options: UnknownClassOptions,
): readonly MissingClass[] {
  const lacking = [...nodes].filter(({ definition }) => !definition);
  return [...groupByKey(lacking, ({ classType }) => classType)]
    .flatMap(
      ([classType, [first, ...others]]): Omit<MissingClass, 'pack' | 'names' | 'reason' | 'isListed'>[] => {
        if (classType === undefined || !first) return [];
        const of: MissingClass['nodes'] = [first, ...others];
        const origins = of.map(
          ({ id, source }) => options.originOf?.(id) ?? originFrom(promptNodeIdentity(source), true),
        );
        const origin = origins.find(({ pack, isCore }) => pack !== undefined || isCore) ?? origins[0];
        if (!origin) return [];
        const { group, types = [] } = origin.inside ?? {};
        if (types.length === 0) return [{ classType, nodes: of, origin }];
        return types.map((inner) => ({ classType: inner.classType, group, nodes: of, origin: inner }));
      },
    )
    .map((missing, index) => ({
      ...missing,
      pack:
        missing.origin.pack ??
        (missing.origin.isCore ? undefined : guessNodePack(missing.classType, catalog)),
      isListed: catalog.has(missing.classType),
      names:
        index < mostLookedUp && !catalog.has(missing.classType)
          ? namesLike(missing.classType, catalog, options.aliases)
          : [],
      reason: options.isSandbox === true ? undefined : reasonFor(missing.classType, missing.origin, options),
    }));
}

function reportClass(missing: MissingClass, server: string, report: Report): void {
  const { classType, nodes, names } = missing;
  const [first, ...others] = nodes;
  const place = classPlace(first);
  report({
    code: 'unknown-class',
    ...place,
    nodeIds: idsOf(missing),
    message: messageOf(missing, server),
    counts: 'always',
    related: others.slice(0, mostRelated).map((node) => ({
      ...classPlace(node),
      message: t`${checkedNodeName(node)} also has this type.`,
    })),
    fix: {
      kind: 'findPack',
      classType,
      pack: missing.pack,
      range: place.range,
      texts: names.map((name) => JSON.stringify(name)),
    },
  });
}

function messageOf(missing: MissingClass, server: string): string {
  const { origin, pack } = missing;
  const message = lackingWords(missing, server);
  if (pack === undefined) return message;
  return origin.pack === undefined ? t`Probably ${pack}: ${message}` : `${pack}: ${message}`;
}

function lackingWords(missing: MissingClass, server: string): string {
  const { origin, pack, names, reason, isListed } = missing;
  if (isListed)
    return t`${server} lists the node type ${quotedClass(missing.classType)} (${nodesInWords(idsOf(missing))}) without a readable definition. Check the server log, or update its node pack.`;
  if (reason !== undefined) return reason;
  const lacks = t`${server} doesn't have the node type ${quotedClass(missing.classType)} (${nodesInWords(idsOf(missing))}).`;
  if (names.length > 0) return withProposal(lacks, names);
  if (origin.isCore)
    return t`${lacks} It's part of ComfyUI, but not of this version. Select another server, or use another node type.`;
  if (pack !== undefined) return t`${lacks} Install the pack that provides it, or use another node type.`;
  return origin.wasOnServer
    ? t`${lacks} Install the pack that provides it, or use another node type.`
    : t`${lacks} Install the pack that provides it, or use another node type. If it exists only in the ComfyUI editor, replace it with links.`;
}

/** The server is too old for the node type, or lacks its replacement, too. Undefined if neither is known. */
function reasonFor(
  classType: string,
  { isCore, version = '' }: NodeOrigin,
  { serverVersion = '', replacements }: UnknownClassOptions,
): string | undefined {
  const name = quotedClass(classType);
  if (isCore && isNewer(version, serverVersion))
    return t`${name} is part of ComfyUI. This file was saved with ${version}; this server runs ${serverVersion} and doesn't have it. Update the server.`;
  const replacement = replacements?.get(classType)?.newClassType;
  if (replacement === undefined) return undefined;
  return t`${name} was replaced by ${replacement}, and this server has neither. Update the server, or use another node type.`;
}

function quotedClass(classType: string): string {
  return classType === classType.trim() ? classType : JSON.stringify(classType);
}

/** The missing types of a group node, in one line where it is used: there is only one position for them. */
function reportInside(missing: readonly MissingClass[], server: string, report: Report): void {
  const [first] = missing;
  if (first?.group === undefined) return;
  const [node, ...others] = first.nodes;
  const place = classPlace(node);
  const nodes = nodesInWords(idsOf(first));
  const types = namedByPack([...missing].sort(byPack));
  report({
    code: 'unknown-class',
    ...place,
    nodeIds: idsOf(first),
    message: t`The group node ${first.group} (${nodes}) needs ${nodeTypesText(missing.length)} that ${server} doesn't have: ${types}. Install the missing packs, or remove the node.`,
    counts: 'always',
    related: others.slice(0, mostRelated).map((each) => ({
      ...classPlace(each),
      message: t`${checkedNodeName(each)} also has this type.`,
    })),
    fix: { kind: 'findPack', classType: first.classType, pack: first.pack, range: place.range, texts: [] },
  });
}

function reportAll(missing: readonly MissingClass[], start: number, report: Report): void {
  const sorted = [...missing].sort(byPack);
  const types = namedByPack(sorted);
  report({
    code: 'unknown-class',
    range: { offset: start, length: 1 },
    nodeIds: missing.flatMap(idsOf),
    message: t`The sandbox doesn't have ${nodeTypesText(missing.length)} of this file: ${types}. To run the file, select another server.`,
    counts: 'always',
    related: sorted.slice(0, mostListed).map((each) => ({
      ...classPlace(each.nodes[0]),
      message: each.pack === undefined ? placeOf(each) : `${each.pack}: ${placeOf(each)}`,
    })),
  });
}

function byPack(a: MissingClass, b: MissingClass): number {
  if (a.pack === b.pack) return 0;
  if (a.pack === undefined || b.pack === undefined) return a.pack === undefined ? 1 : -1;
  return a.pack < b.pack ? -1 : 1;
}

function namedByPack(sorted: readonly MissingClass[]): string {
  const parts = [...groupByKey(sorted.slice(0, mostNamed), ({ pack }) => pack)].map(([pack, missing]) => {
    const names = listWithAnd(missing.map(({ classType }) => quotedClass(classType)));
    return pack === undefined ? names : t`${names} from ${pack}`;
  });
  const rest = sorted.length - mostNamed;
  const all = rest > 0 ? [...parts, t`${rest} more`] : parts;
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : t`${all.slice(0, -1).join(', ')}, and ${last}`;
}

function idsOf({ nodes }: MissingClass): readonly string[] {
  return nodes.map(({ id }) => id);
}

function placeOf(missing: MissingClass): string {
  const { group } = missing;
  const nodes = nodesInWords(idsOf(missing));
  const name = quotedClass(missing.classType);
  if (group === undefined) return `${name} (${nodes}).`;
  return t`${name}, which is inside the group node ${group} (${nodes}).`;
}

const mostLookedUp = 40;

/** Results of earlier lookups in a catalog, so that a keystroke elsewhere in the file does not repeat them. */
const lookedUp = new WeakMap<Catalog, Map<string, readonly string[]>>();

/** A name being typed changes with every letter: beyond this, all are forgotten. */
const mostKept = 500;

function similarClasses(name: string, catalog: Catalog): readonly string[] {
  const before = lookedUp.get(catalog);
  const known = before && before.size < mostKept ? before : new Map<string, readonly string[]>();
  if (known !== before) lookedUp.set(catalog, known);
  const similar = known.get(name) ?? similarNames(name, catalog.classTypes);
  known.set(name, similar);
  return similar;
}

/** The node types that may have been meant: by spelling, or else by another name of a node type. */
function namesLike(name: string, catalog: Catalog, aliases: AliasSource | undefined): readonly string[] {
  const similar = similarClasses(name, catalog);
  return similar.length > 0 ? similar : (aliases?.().get(name.trim().toLowerCase()) ?? []);
}

type NamedClass = Pick<NodeDefinition, 'classType' | 'displayName' | 'searchAliases' | 'deprecated'>;

/** Display names and search terms, in lower case. With all definitions of a server, it takes longer than a check. */
export function nodeTypeAliases(classes: Iterable<NamedClass>): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const { classType, displayName, searchAliases, deprecated } of classes) {
    if (deprecated) continue;
    for (const alias of new Set([displayName, ...searchAliases].map((each) => each.trim().toLowerCase()))) {
      const classes = table.get(alias);
      if (!classes) table.set(alias, [classType]);
      else if (classes.length < 3) classes.push(classType);
    }
  }
  return table;
}
