import { countAt } from '../../safety/lists';
import type { Catalog } from '../../catalog/catalog';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { completeGraphLink, completeLink, completeSlot } from './completeLink';
import { completeNewInput } from './completeNewInput';
import { completeValue, type LocalNames, valueSuggestions } from './completeValue';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { slotAt } from './completion';
import { type AdditionPlace, type PromptPlace, promptPlaceAt } from '../places/promptPlace';
import { WorkflowDocument } from '../../workflow/workflowDocument';
import { isTolerated } from '../../json/problem';
import { freeId, findConsumers } from '../places/promptLinks';
import { layoutAt } from './snippetLayout';
import { t } from '../../safety/localize';
import type { Graph } from '../../workflow/graph/graph';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { branchNames } from '../../workflow/graph/sentValues';
import { graphNodeDefinition, endText, scopeNode, widgetAt } from '../places/graphNodes';
import { type GraphPlace, graphPlaceAt, type GraphScope, graphScopes } from '../places/graphPlace';
import { controlModes, isControlMode } from '../../workflow/graph/extraWidgets';
import { areCompatible } from '../../check/typeCompatibility';
import type { ExactValue } from '../../json/exactValue';
import { type ClassEntry, classEntries } from '../classIndex';
import { expandedInputNamed, wantedType } from '../places/nodeInputs';

/** Suggestions at an offset, best first. Works while the text is incomplete during typing. */
export function completeAtOffset(
  doc: WorkflowDocument,
  offset: number,
  catalog?: Catalog,
  local: LocalNames = () => [],
): Completion[] {
  if (!doc.isWorkflow) return [];
  const closed = closeAtCursor(doc, offset);
  const { prompt, graph } = closed.doc;
  if (graph) return completeGraph(graph, offset, closed.inserted, catalog, local);
  const place = prompt && promptPlaceAt(prompt, offset);
  return place ? completeAt(prompt, place, closed.inserted, catalog, local) : [];
}

function completeAt(
  prompt: Prompt,
  place: PromptPlace,
  inserted: number,
  catalog: Catalog | undefined,
  local: LocalNames,
): Completion[] {
  const slot = slotAt(prompt.document.text, place.json, inserted);
  switch (place.kind) {
    case 'newNode':
    case 'newMember':
      return completeNode(prompt, place, slot);
    case 'classType':
      return catalog ? completeClassType(prompt, place.node, slot, catalog) : [];
    case 'newInput':
    case 'inputName':
      return catalog ? completeNewInput(prompt, place, slot, catalog) : [];
    case 'inputValue':
      return completeValue(prompt, place, slot, catalog, local);
    case 'linkNode':
      return completeLink(prompt, place, slot, inserted, catalog);
    case 'linkSlot':
      return completeSlot(prompt, place, slot, catalog);
    case 'nodeId':
    case 'member':
    case 'title':
      return [];
  }
}

/** A text closed at the cursor so that the rest of it can be parsed. */
interface ClosedText {
  readonly doc: WorkflowDocument;
  readonly inserted: number;
}

const endings = [']', '"]', ' 0]', '}', '"}', '"', ': null}', '}}'];

/** Each ending costs a reading of the text (UTF-16 units): beyond this it would slow down typing. */
const largestClosed = 500_000;

/** While brackets are open at the cursor, all that follows would be parsed as part of what is being typed. */
function closeAtCursor(doc: WorkflowDocument, offset: number): ClosedText {
  let best: ClosedText = { doc, inserted: 0 };
  if (!doc.isWorkflow || doc.text.length > largestClosed || !isUnbalanced(doc)) return best;
  let fewest = problemsOf(doc);
  for (const ending of endings) {
    if (fewest === 0) break;
    const tried = WorkflowDocument.of(
      doc.text.slice(0, offset) + ending + doc.text.slice(offset),
      doc.version,
    );
    const problems = problemsOf(tried);
    if (problems < fewest) {
      fewest = problems;
      best = { doc: tried, inserted: ending.length };
    }
  }
  return best;
}

function problemsOf(doc: WorkflowDocument): number {
  return doc.json.problems.filter((problem) => !isTolerated(problem)).length;
}

function isUnbalanced({ text, json }: WorkflowDocument): boolean {
  return json.problems.some(({ kind, offset }) => {
    return (
      kind === 'unexpectedEnd' ||
      kind === 'expectedEnd' ||
      (kind === 'invalidToken' && /[\]}:]/.test(text.charAt(offset)))
    );
  });
}

const members = (): readonly (readonly [name: string, value: string, detail: string])[] => [
  ['class_type', '"$1"', t`the node type`],
  ['inputs', '{$1}', t`values and links`],
  ['_meta', '{ "title": "$1" }', t`the title shown in the editor`],
];

function completeNode(prompt: Prompt, place: AdditionPlace, slot: Slot): Completion[] {
  if (place.kind === 'newNode') {
    const id = String(freeId(prompt.nodes.map((node) => node.id)));
    if (!prompt.root) return [];
    const { before, inner, outer, after } = layoutAt(prompt.document.text, prompt.root, slot);
    const lines = ['"class_type": "$1"', '"inputs": {$2}', '"_meta": { "title": "$3" }'].join(`,${inner}`);
    const newText = `${before}"${id}": {${inner}${lines}${outer}}${after}`;
    return completionsIn(slot, [
      { kind: 'node', label: id, newText, detail: t`new node`, rank: 0, isSnippet: true },
    ]);
  }
  const { node } = place.node;
  const missing = members().filter(([name]) => node.kind === 'object' && !node.property(name));
  const suggestions = missing.map(([name, value, detail], rank): Suggestion => ({
    kind: 'member',
    label: name,
    newText: `"${name}": ${value}`,
    detail,
    rank,
    isSnippet: true,
  }));
  return completionsIn(slot, suggestions);
}

const modes = [
  ['0', 'runs'],
  ['2', 'muted'],
  ['4', 'bypassed'],
] as const;

/** Suggestions at a position in a graph file: node types, widget values, matching links, modes. */
function completeGraph(
  graph: Graph,
  offset: number,
  inserted: number,
  catalog: Catalog | undefined,
  local: LocalNames,
): Completion[] {
  const place = graphPlaceAt(graph, offset);
  if (!place) return [];
  const slot = slotAt(graph.document.text, place.json, inserted);
  switch (place.kind) {
    case 'nodeType': {
      if (!catalog) return [];
      const types = graphScopes(graph).flatMap(({ nodes }) => nodes.filter((each) => each !== place.node));
      const needs = needsOf(place);
      const uses = usesIn(types.map(({ type }) => type));
      return classCompletions(slot, catalog, uses, (entry) => fitsNeeds(entry, needs));
    }
    case 'widget': {
      const spec = widgetAt(place, catalog)?.widget.spec;
      if (spec?.type === 'COMFY_BRANCH_SELECTOR') return completionsIn(slot, branches(place.node));
      return spec ? completionsIn(slot, valueSuggestions(spec, local)) : controlValues(place, catalog, slot);
    }
    case 'input':
      return place.json.property?.name === 'link' ? completionsIn(slot, linkIds(graph, place, catalog)) : [];
    case 'node': {
      const isMode = place.json.property?.name === 'mode' && place.json.at !== 'name';
      if (!isMode) return [];
      return completionsIn(
        slot,
        modes.map(([text, detail], rank) => ({ kind: 'value', label: text, newText: text, detail, rank })),
      );
    }
    case 'link':
      return completeGraphLink(graph, place, slot, catalog);
    default:
      return [];
  }
}

function branches({ inputs }: GraphNode): Suggestion[] {
  const labels = branchNames(inputs.map(({ name, link, node: place }) => ({ name, link, place })));
  return labels.map((label, rank) => ({ kind: 'value', label, newText: JSON.stringify(label), rank }));
}

function needsOf({ scope, node }: { readonly scope: GraphScope; readonly node: GraphNode }): Need[] {
  return [...scope.links.values()]
    .filter(({ originId }) => originId === node.id)
    .map(({ id, originSlot, targetId, type }) => {
      const input = scopeNode(scope, targetId)?.inputs.find(({ link }) => link === id);
      return { slot: originSlot, type: input?.type ?? type };
    });
}

function controlValues(
  place: Extract<GraphPlace, { readonly kind: 'widget' }>,
  catalog: Catalog | undefined,
  slot: Parameters<typeof completionsIn>[0],
): Completion[] {
  const widget = widgetAt(place, catalog)?.widget;
  if (!widget || !graphNodeDefinition(place.node, catalog) || !isControlValue(place)) return [];
  return completionsIn(
    slot,
    controlModes.map((value, rank) => ({
      kind: 'value',
      label: value,
      newText: JSON.stringify(value),
      detail: t`what happens to the value after a run`,
      rank,
    })),
  );
}

function isControlValue({ json }: GraphPlace): boolean {
  return json.node?.kind === 'string' && isControlMode(json.node.value);
}

function linkIds(
  graph: Graph,
  { scope, node }: Extract<GraphPlace, { readonly kind: 'input' }>,
  catalog: Catalog | undefined,
): Parameters<typeof completionsIn>[1] {
  return [...scope.links.values()]
    .filter(({ targetId }) => targetId === node.id)
    .map((link) => ({
      kind: 'link',
      label: link.id,
      newText:
        link.node.kind === 'array' && link.node.items[0]?.kind === 'string'
          ? JSON.stringify(link.id)
          : link.id,
      detail: `${endText(graph, scope, link, 'origin', catalog)} · ${link.type}`,
      rank: 0,
    }));
}

interface Need {
  readonly slot: number;
  readonly type: ExactValue;
}

/** First those whose outputs match the outgoing links, then those used in the file; deprecated ones last. */
function completeClassType(prompt: Prompt, node: PromptNode, slot: Slot, catalog: Catalog): Completion[] {
  const needs = findConsumers(prompt, node.id).flatMap((consumer): Need[] => {
    const input = expandedInputNamed(consumer.node, consumer.input.name, catalog);
    return input ? [{ slot: consumer.slot, type: wantedType(input.spec) }] : [];
  });
  const uses = usesIn(prompt.nodes.filter((each) => each !== node).map(({ classType }) => classType));
  return classCompletions(slot, catalog, uses, (entry) => fitsNeeds(entry, needs));
}

function usesIn(classTypes: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const each of classTypes) if (each !== undefined) uses.set(each, countAt(uses, each) + 1);
  return uses;
}

/** All node types of a catalog as suggestions. `fits` says which of them match. */
function classCompletions(
  slot: Slot,
  catalog: Catalog,
  uses: ReadonlyMap<string, number>,
  fits: (entry: ClassEntry) => boolean,
): Completion[] {
  const { offset, length } = slot.range;
  return classEntries(catalog).map((entry, index) => {
    const { classType, text, detail, filterText, deprecated } = entry;
    const rank = rankOf(entry, countAt(uses, classType), fits(entry));
    return {
      kind: 'classType',
      label: classType,
      detail,
      edit: { offset, length, newText: text },
      isSnippet: false,
      filterText,
      // Both numbers have six digits: text order is their order.
      sortText: String(100_000 + rank) + String(100_000 + index),
      isDeprecated: deprecated,
    };
  });
}

function rankOf({ deprecated }: ClassEntry, uses: number, fits: boolean): number {
  return (fits ? 0 : 400) + (deprecated ? 200 : 0) + (uses > 0 ? 99 - Math.min(uses, 99) : 100);
}

function fitsNeeds({ outputTypes }: ClassEntry, needs: readonly Need[]): boolean {
  return needs.every(({ slot, type }) => {
    const output = outputTypes[slot];
    return output !== undefined && areCompatible(output, type);
  });
}
