import { countAt } from '../../safety/lists';
import type { Catalog } from '../../catalog/catalog';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { completeGraphLink, completeLink, completeSlot } from './completeLink';
import { completeNewInput } from './completeNewInput';
import { completeValue, type LocalNames, valueSuggestions } from './completeValue';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { slotAt } from './completion';
import { WorkflowDocument } from '../../workflow/workflowDocument';
import { isTolerated } from '../../json/problem';
import { freeId, findConsumers } from '../places/promptLinks';
import { layoutAt } from './snippetLayout';
import { t } from '../../safety/localize';
import type { GraphNode } from '../../workflow/graph/graphNode';
import { branchNames } from '../../workflow/graph/sentValues';
import { endText, scopeNode, widgetAt } from '../places/graphNodes';
import { type GraphScope, graphScopes, type WorkflowPlace, workflowPlaceAt } from '../places/workflowPlace';
import { controlModes, isControlMode } from '../../workflow/graph/extraWidgets';
import { areCompatible } from '../../check/typeCompatibility';
import type { ExactValue } from '../../json/exactValue';
import { type ClassEntry, classEntries } from '../classIndex';
import { expandedInputNamed } from '../places/nodeInputs';

/** Suggestions at an offset, best first. Works while the text is incomplete during typing. */
export function completeAtOffset(
  doc: WorkflowDocument,
  offset: number,
  catalog?: Catalog,
  local: LocalNames = () => [],
): Completion[] {
  if (!doc.isWorkflow) return [];
  const closed = closeAtCursor(doc, offset);
  const place = workflowPlaceAt(closed.doc, offset);
  return place ? completeAt(place, closed.inserted, catalog, local) : [];
}

/** What can be written at a place: node types, inputs and values, matching links, modes. */
function completeAt(
  place: WorkflowPlace,
  inserted: number,
  catalog: Catalog | undefined,
  local: LocalNames,
): Completion[] {
  const { text } = ('graph' in place ? place.graph : place.prompt).document;
  const slot = slotAt(text, place.json, inserted);
  switch (place.kind) {
    case 'newNode':
      return completeNode(place.prompt, slot);
    case 'newMember':
      return completeMember(place.node, slot);
    case 'nodeType':
      return catalog ? completeNodeType(place, slot, catalog) : [];
    case 'newInput':
    case 'inputName':
      return catalog ? completeNewInput(place, slot, catalog) : [];
    case 'inputValue':
      return completeValue(place, slot, catalog, local);
    case 'linkNode':
      return completeLink(place, slot, inserted, catalog);
    case 'linkSlot':
      return completeSlot(place, slot, catalog);
    case 'widget': {
      const spec = widgetAt(place, catalog)?.widget.spec;
      if (spec?.type === 'COMFY_BRANCH_SELECTOR') return completionsIn(slot, branches(place.node));
      return spec ? completionsIn(slot, valueSuggestions(spec, local)) : controlValues(place, catalog, slot);
    }
    case 'input':
      return place.json.property?.name === 'link' ? completionsIn(slot, linkIds(place, catalog)) : [];
    case 'node': {
      const { property, at } = place.json;
      const isMode = 'graph' in place && property?.name === 'mode' && at !== 'name';
      if (!isMode) return [];
      return completionsIn(
        slot,
        modes.map(([text, detail], rank) => ({ kind: 'value', label: text, newText: text, detail, rank })),
      );
    }
    case 'link':
      return completeGraphLink(place, slot, catalog);
    case 'nodeId':
    case 'title':
    case 'output':
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

function completeNode(prompt: Prompt, slot: Slot): Completion[] {
  const id = String(freeId(prompt.nodes.map((node) => node.id)));
  if (!prompt.root) return [];
  const { before, inner, outer, after } = layoutAt(prompt.document.text, prompt.root, slot);
  const lines = ['"class_type": "$1"', '"inputs": {$2}', '"_meta": { "title": "$3" }'].join(`,${inner}`);
  const newText = `${before}"${id}": {${inner}${lines}${outer}}${after}`;
  return completionsIn(slot, [
    { kind: 'node', label: id, newText, detail: t`new node`, rank: 0, isSnippet: true },
  ]);
}

function completeMember({ node }: PromptNode, slot: Slot): Completion[] {
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

function branches({ inputs }: GraphNode): Suggestion[] {
  const labels = branchNames(inputs.map(({ name, link, node: place }) => ({ name, link, place })));
  return labels.map((label, rank) => ({ kind: 'value', label, newText: JSON.stringify(label), rank }));
}

function controlValues(
  place: Extract<WorkflowPlace, { readonly kind: 'widget' }>,
  catalog: Catalog | undefined,
  slot: Slot,
): Completion[] {
  const { node } = place.json;
  if (!widgetAt(place, catalog) || node?.kind !== 'string' || !isControlMode(node.value)) return [];
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

function linkIds(
  { graph, scope, node }: Extract<WorkflowPlace, { readonly kind: 'input' }>,
  catalog: Catalog | undefined,
): Suggestion[] {
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
function completeNodeType(
  place: Extract<WorkflowPlace, { readonly node: PromptNode | GraphNode }>,
  slot: Slot,
  catalog: Catalog,
): Completion[] {
  const needs = 'graph' in place ? graphNeeds(place) : promptNeeds(place, catalog);
  const types =
    'graph' in place
      ? graphScopes(place.graph).flatMap(({ nodes }) =>
          nodes.filter((each) => each !== place.node).map(({ type }) => type),
        )
      : place.prompt.nodes.filter((each) => each !== place.node).map(({ classType }) => classType);
  return classCompletions(slot, catalog, usesIn(types), (entry) => fitsNeeds(entry, needs));
}

function promptNeeds(
  { prompt, node }: { readonly prompt: Prompt; readonly node: PromptNode },
  catalog: Catalog,
): Need[] {
  return findConsumers(prompt, node.id).flatMap((consumer) => {
    const input = expandedInputNamed(consumer.node, consumer.input.name, catalog);
    return input ? [{ slot: consumer.slot, type: input.spec.rawType }] : [];
  });
}

function graphNeeds({ scope, node }: { readonly scope: GraphScope; readonly node: GraphNode }): Need[] {
  return [...scope.links.values()]
    .filter(({ originId }) => originId === node.id)
    .map(({ id, originSlot, targetId, type }) => {
      const input = scopeNode(scope, targetId)?.inputs.find(({ link }) => link === id);
      return { slot: originSlot, type: input?.type ?? type };
    });
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
