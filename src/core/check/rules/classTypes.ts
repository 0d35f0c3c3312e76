import type { Catalog } from '../../catalog/catalog';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { packOf } from '../packHints';
import { classPlace, type NodeRule } from '../rule';
import { similarNames } from '../similarNames';
import { didYouMean } from '../wording';

/** Classes to look up names in, in the order of the server; read once for all nodes of a prompt. */
export type AliasSource = () => ReadonlyMap<string, readonly string[]>;

/**
 * Unknown classes, all at once (the server names only the first), with the nearest known names and the likely pack.
 * Comparing names costs a walk over all classes, so each unknown class is looked up once and at most a few dozen are.
 */
export function unknownClasses(
  aliases: AliasSource | undefined,
  packs: ((nodeId: string) => string | undefined) | undefined,
): NodeRule {
  const proposals = new Map<string, readonly string[]>();
  const propose = (name: string, catalog: Catalog): readonly string[] => {
    const known = proposals.get(name);
    if (known) return known;
    const found = proposals.size < mostLookedUp ? namesLike(name, catalog, aliases) : [];
    proposals.set(name, found);
    return found;
  };
  return (node, { view, server }, report) => {
    const { classType } = node;
    if (!view.catalog || node.definition || classType === undefined) return;
    const names = propose(classType, view.catalog);
    const pack = packs?.(node.id) ?? packOf(classType, view.catalog);
    const place = classPlace(node);
    const from = pack === undefined ? '' : ` It may come from ${pack}.`;
    const next =
      names.length > 0 ? didYouMean(names) : ' Install the pack that brings it, or use another class.';
    const shownClass = classType === classType.trim() ? classType : JSON.stringify(classType);
    report({
      code: 'unknown-class',
      ...place,
      message: `${server} does not know the class ${shownClass}.${from}${next}`,
      counts: 'always',
      fix: {
        kind: 'findPack',
        classType,
        ...(pack === undefined ? {} : { pack }),
        range: place.range,
        texts: names.map((name) => JSON.stringify(name)),
      },
    });
  };
}

const mostLookedUp = 40;

/** What was looked up before in a catalog, so that a keystroke elsewhere in the file does not look it up again. */
const lookedUp = new WeakMap<Catalog, Map<string, readonly string[]>>();

/** A name that is being typed is another one with every letter: beyond this all are forgotten. */
const mostKept = 500;

function similarClasses(name: string, catalog: Catalog): readonly string[] {
  const before = lookedUp.get(catalog);
  const known = before && before.size < mostKept ? before : new Map<string, readonly string[]>();
  if (known !== before) lookedUp.set(catalog, known);
  const similar = known.get(name) ?? similarNames(name, catalog.classTypes);
  known.set(name, similar);
  return similar;
}

/** The classes that a person may have meant: by the letters of the name, else by another name that a class goes by. */
function namesLike(name: string, catalog: Catalog, aliases: AliasSource | undefined): readonly string[] {
  const similar = similarClasses(name, catalog);
  return similar.length > 0 ? similar : (aliases?.().get(name.trim().toLowerCase()) ?? []);
}

/**
 * Every other name of every class (display name and search words, in lower case) with the classes that go by it. Reads
 * all definitions, which takes longer than a check: for callers that can wait.
 */
export function classAliases(catalog: Catalog): ReadonlyMap<string, readonly string[]> {
  return aliasesOf(catalog.definitions());
}

type NamedClass = Pick<NodeDefinition, 'classType' | 'displayName' | 'searchAliases' | 'deprecated'>;

/** The same table from classes that have been read. */
export function aliasesOf(classes: Iterable<NamedClass>): ReadonlyMap<string, readonly string[]> {
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
