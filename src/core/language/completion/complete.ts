import type { Catalog } from '../../catalog/catalog';
import type { Prompt } from '../../workflow/prompt';
import { completeClassType } from './completeClassType';
import { completeGraph } from './completeGraph';
import { completeLink, completeSlot } from './completeLink';
import { completeNewInput } from './completeNewInput';
import { completeNode } from './completeNode';
import { completeValue } from './completeValue';
import type { Completion } from './completion';
import { slotAt } from './completionSlot';
import { closeAtCursor } from './closeAtCursor';
import { type PromptPlace, promptPlaceAt } from '../places/promptPlace';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

/** What can be written at an offset, best first. Works while the text is broken in mid typing. */
export function complete(doc: WorkflowDocument, offset: number, catalog?: Catalog): Completion[] {
  if (!doc.isWorkflow) return [];
  const mended = closeAtCursor(doc, offset);
  const { prompt, graph } = mended.doc;
  if (graph) return completeGraph(graph, offset, mended.inserted, catalog);
  const place = prompt && promptPlaceAt(prompt, offset);
  return place ? completeAt(prompt, place, mended.inserted, catalog) : [];
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
