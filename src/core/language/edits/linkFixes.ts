import { listAt } from '../../safety/lists';
import type { Catalog } from '../../catalog/catalog';
import { readInputSpec } from '../../catalog/readInputSpec';
import type { FixHint } from '../../check/finding';
import type { JsonNode, JsonRange } from '../../json/node';
import type { Graph, SubgraphDefinition } from '../../workflow/graph/graph';
import { type GraphLink, linkOwners, subgraphOutputId } from '../../workflow/graph/graphLinks';
import { groupByKey } from '../../workflow/graph/grouped';
import { readId, listMember } from '../../workflow/graph/members';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { graphNodeDefinition, canvasNodeName, scopeNode, scopeSubgraph } from '../places/graphNodes';
import { type GraphScope, graphScopes } from '../places/workflowPlace';
import { type LinkSource, linkTargets, promptLinkText, onlyTarget } from '../places/linkTargets';
import { expandedInputNamed, promptNodeName } from '../places/nodeInputs';
import type { EditPlan } from '../../json/editPlan';
import type { TextEdit } from '../../json/textEdit';
import { t } from '../../safety/localize';
import { memoizeByObject } from '../../safety/memoizeByObject';

export interface PlannedFix {
  readonly title: string;
  readonly preferred: boolean;
  readonly plan: (edits: EditPlan) => void;
  /** Changes the entire file, so it can't be combined with others. */
  readonly whole?: readonly TextEdit[];
}

/** More links than this are a list to search in, not a menu. */
const mostLinks = 6;

/** Links of an input to the outputs that match it, best first. */
export function linkFixes(
  prompt: Prompt,
  node: PromptNode,
  { input, type }: Extract<FixHint, { readonly kind: 'chooseLink' }>,
  catalog: Catalog | undefined,
): PlannedFix[] {
  const targets = targetsFor(prompt, node, input, type, catalog);
  const sure = targets.filter(({ rank }) => rank < 2);
  const only = sure.length === 1 ? sure[0] : undefined;
  return targets.slice(0, mostLinks).map((target) => linkFix(node, input, target, target === only));
}

/** The preferred one of them, found without the others: there may be thousands of such inputs. */
export function sureLink(
  prompt: Prompt,
  node: PromptNode,
  { input, type }: Extract<FixHint, { readonly kind: 'chooseLink' }>,
  catalog: Catalog | undefined,
): PlannedFix[] {
  // Without definitions, no target is certain.
  const target = catalog && onlyTarget(prompt, node, wantedBy(node, input, type, catalog), catalog);
  return target ? [linkFix(node, input, target, true)] : [];
}

function linkFix(node: PromptNode, input: string, target: LinkSource, preferred: boolean): PlannedFix {
  return {
    title: t`Link ${input} to ${labelOf(target)}`,
    preferred,
    plan: linkTo(node, input, target),
  };
}

interface Cut extends Omit<PlannedFix, 'preferred'> {
  /** Whether the file is right after that: the node can do without the link, or gets the only other one. */
  readonly isFitting: boolean;
}

/** One fix for each link of a cycle, because only the user knows which one is wrong, unless the others are needed. */
export function cutLinks(
  prompt: Prompt,
  links: readonly { readonly nodeId: string; readonly input: string }[],
  catalog: Catalog | undefined,
): PlannedFix[] {
  return preferringOne(links.flatMap(({ nodeId, input }) => promptCut(prompt, nodeId, input, catalog)));
}

/** Does the same for links in the lists of a graph, some of which may lead nowhere. */
export function cutRows(
  graph: Graph,
  places: readonly JsonRange[],
  catalog: Catalog | undefined,
  isSure: boolean,
): PlannedFix[] {
  const cuts = places.flatMap((place) => graphCut(graph, place, catalog));
  return preferringOne(isSure ? cuts : cuts.map((each) => ({ ...each, isFitting: false })));
}

function preferringOne(cuts: readonly Cut[]): PlannedFix[] {
  const isOne = cuts.filter(({ isFitting }) => isFitting).length === 1;
  return cuts.map(({ title, plan, isFitting }) => ({ title, plan, preferred: isFitting && isOne }));
}

function promptCut(prompt: Prompt, nodeId: string, input: string, catalog: Catalog | undefined): Cut[] {
  const node = prompt.node(nodeId);
  const inputs = node?.inputsNode?.kind === 'object' ? node.inputsNode : undefined;
  const property = inputs?.property(input);
  if (!node || !inputs || !property) return [];
  const name = named(promptNodeName(node, catalog), node.id);
  const known = expandedInputNamed(node, input, catalog);
  if (known?.section === 'required') {
    const targets = targetsFor(prompt, node, input, known.spec.type, catalog).filter(({ rank }) => rank < 2);
    const [target] = targets;
    if (target) {
      const title = t`Link ${input} of ${name} to ${labelOf(target)}`;
      return [{ title, isFitting: targets.length === 1, plan: linkTo(node, input, target) }];
    }
  }
  return [
    {
      title: t`Remove the Link to ${input} of ${name}`,
      isFitting: known?.section === 'optional',
      plan: (edits) => edits.remove(inputs, property),
    },
  ];
}

function graphCut(graph: Graph, { offset }: JsonRange, catalog: Catalog | undefined): Cut[] {
  const scope = graphScopes(graph).find((each) => rowsOf(each).has(offset));
  const link = scope && rowsOf(scope).get(offset);
  // Another input would lose its link, too.
  if (!scope || !link || scope.shared.has(link)) return [];
  const node = scopeNode(scope, link.targetId);
  const input = node && linkOwners(node, scope.links).get(link);
  const definition = node && graphNodeDefinition(node, catalog);
  const section = definition?.inputs.find(({ name }) => name === input?.name)?.section;
  const plan: PlannedFix['plan'] = (edits) => {
    const taken = input?.node.get('link');
    if (taken) edits.replace(taken, 'null');
    cutRow(scope, scopeSubgraph(graph, scope), link.node, link.repeats ?? link.id, edits);
  };
  if (!input) {
    return [{ title: t`Remove Link ${link.id}`, isFitting: link.targetId !== subgraphOutputId, plan }];
  }
  const name = named(canvasNodeName(graph, node, catalog), node.id);
  const title =
    input.name === '' ? t`Remove the Link to ${name}` : t`Remove the Link to ${input.name} of ${name}`;
  return [{ title, isFitting: section === 'optional' || input.widget !== undefined, plan }];
}

function cutRow(
  scope: GraphScope,
  subgraph: SubgraphDefinition | undefined,
  row: JsonNode,
  id: string,
  edits: EditPlan,
): void {
  const { list, places, slots } = mentionsIn(scope, subgraph);
  const place = places.get(row);
  if (place !== undefined) edits.removeItem(list, place);
  for (const { items, index } of listAt(slots, id)) edits.removeItem(items, index);
}

const rowsOf = memoizeByObject(
  ({ rows }: GraphScope): ReadonlyMap<number, GraphLink> =>
    new Map(rows.map((row) => [row.node.offset, row])),
);

/** Read once for all links of a level, because a file may have thousands of wrong ones. */
const mentionsIn = memoizeByObject((scope: GraphScope, subgraph: SubgraphDefinition | undefined) => {
  const list = listMember(scope.node.kind === 'object' ? scope.node : undefined, 'links');
  const outputs = scope.nodes.flatMap((node) => node.outputs.map((each) => listMember(each.node, 'links')));
  const borders = [...(subgraph?.inputs ?? []), ...(subgraph?.outputs ?? [])].map((each) =>
    listMember(each.node, 'linkIds'),
  );
  const all = [...outputs, ...borders].flatMap((items) =>
    items.map((item, index) => ({ items, item, index })),
  );
  return {
    list,
    places: new Map(list.map((each, index) => [each, index])),
    slots: groupByKey(all, ({ item }) => readId(item) ?? ''),
  };
});

/** Without definitions, every output may match. */
function targetsFor(
  prompt: Prompt,
  node: PromptNode,
  input: string,
  type: string,
  catalog: Catalog | undefined,
): LinkSource[] {
  const wanted = wantedBy(node, input, type, catalog);
  return linkTargets(prompt, node, wanted, catalog).filter(({ rank }) => rank < 3 || !catalog);
}

function wantedBy(node: PromptNode, input: string, type: string, catalog: Catalog | undefined) {
  return expandedInputNamed(node, input, catalog) ?? { name: input, spec: readInputSpec([type]) };
}

function linkTo(node: PromptNode, input: string, { node: origin, slot }: LinkSource): PlannedFix['plan'] {
  return (edits) => {
    if (node.inputsNode?.kind !== 'object') return;
    edits.set(node.inputsNode, input, promptLinkText(origin.id, slot));
  };
}

function labelOf({ node, label }: LinkSource): string {
  return named(label, node.id);
}

function named(name: string, id: string): string {
  return t`${name} (node ${id})`;
}
