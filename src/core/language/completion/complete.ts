import type { Catalog } from '../../catalog/catalog';
import type { Prompt } from '../../workflow/prompt';
import { completeClassType } from './completeClassType';
import { completeGraph } from './completeGraph';
import { completeLink, completeSlot } from './completeLink';
import { completeNewInput } from './completeNewInput';
import { completeValue } from './completeValue';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { slotAt } from './completionSlot';
import { type AdditionPlace, type PromptPlace, promptPlaceAt } from '../places/promptPlace';
import { WorkflowDocument } from '../../workflow/workflowDocument';
import { isTolerated } from '../../json/problem';
import { freeId } from '../places/promptLinks';
import { layoutAt } from './snippetLayout';
import { t } from '../../safety/localize';

/** What can be written at an offset, best first. Works while the text is broken in mid typing. */
export function complete(doc: WorkflowDocument, offset: number, catalog?: Catalog): Completion[] {
  if (!doc.isWorkflow) return [];
  const closed = closeAtCursor(doc, offset);
  const { prompt, graph } = closed.doc;
  if (graph) return completeGraph(graph, offset, closed.inserted, catalog);
  const place = prompt && promptPlaceAt(prompt, offset);
  return place ? completeAt(prompt, place, closed.inserted, catalog) : [];
}

function completeAt(
  prompt: Prompt,
  place: PromptPlace,
  inserted: number,
  catalog: Catalog | undefined,
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
      return completeValue(prompt, place, slot, catalog);
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
  /** How many characters were inserted at the cursor. */
  readonly inserted: number;
}

/** What may be missing at the cursor while a link, a text or a node is being written. */
const endings = [']', '"]', ' 0]', '}', '"}', '"', ': null}', '}}'];

/** Each ending costs a reading of the text (UTF-16 units): beyond this it would be felt while typing. */
const largestClosed = 500_000;

/**
 * While brackets are open at the cursor, everything after it would be parsed as part of what is being typed. Of several
 * endings, uses the one with the fewest problems. A text with matching brackets is returned unchanged.
 */
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

/** A new node under a free id, or the members that a node lacks. */
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
