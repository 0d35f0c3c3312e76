import type { JsonNode, JsonObject } from '../json/node';
import type { Catalog } from '../catalog/catalog';
import { isTolerated } from '../json/problem';
import { PositionIndex } from '../json/position';
import { applyEdits, removeProperty, type TextEdit } from '../json/textEdit';
import type { JsonDocument } from '../json/tree';
import { promptObjectOfFile, type NoWorkflow } from '../workflow/format';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { readPrompt } from '../workflow/prompt';
import { promptOfGraph } from './graphPrompt';
import type { WorkflowPrompt } from './workflowPrompt';
import { placesInPrompt } from '../workflow/promptPlaces';
import { createRunRefusal, type RunRefusal } from './runRefusal';
import { startOfSentence } from '../safety/endSentence';
import { t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';

/** Characters or bytes. Real workflows have a few megabytes; a larger file was picked by mistake. */
export const largestWorkflow = 64 * 1024 * 1024;

export function refuseLargeWorkflow(size: number): RunRefusal | undefined {
  if (size <= largestWorkflow) return undefined;
  return createRunRefusal(
    'tooLarge',
    t`${t`The file`} is larger than ${sizeText(largestWorkflow)}, so it wasn't read.`,
    t`Choose another file.`,
  );
}

/** A graph needs the node definitions; without them it is refused as `noDefinitions`. */
export function readWorkflowPrompt(
  document: WorkflowDocument,
  catalog?: Catalog,
  dynamicPrompts?: 'random' | 'first',
): WorkflowPrompt | RunRefusal {
  const tooLarge = refuseLargeWorkflow(document.text.length);
  if (tooLarge) return tooLarge;
  if (document.format.kind !== 'none' && document.graph)
    return promptOfGraph(document, document.graph, catalog, dynamicPrompts);
  const found = findPrompt(document);
  if (found.kind === 'refused') return found;
  const note = toolNote(found);
  if (!note) return promptIn(document, found, []);
  // Spaces keep every offset, so what is parsed is the prompt that is sent, at its place in the file.
  const blanked = WorkflowDocument.of(
    applyEdits(document.text, [{ ...note, newText: ' '.repeat(note.length) }]),
  );
  const again = findPrompt(blanked);
  return again.kind === 'refused' ? again : promptIn(blanked, again, [note]);
}

function findPrompt(document: WorkflowDocument): JsonObject | RunRefusal {
  const { format } = document;
  if (format.kind === 'objectInfo') {
    return createRunRefusal(
      'objectInfo',
      t`The file contains node definitions, not a workflow.`,
      t`Open a workflow file and run it instead.`,
    );
  }
  if (format.kind === 'none') return withoutFormat(document.json, format);
  return promptObjectOfFile(format) ?? format.node;
}

function withoutFormat(document: JsonDocument, format: NoWorkflow): RunRefusal {
  const { offset } = format;
  switch (format.reason) {
    case 'empty':
      return createRunRefusal('empty', t`The file is empty.`, saveWorkflow());
    case 'tooLarge':
      return createRunRefusal('tooLarge', format.message, t`Choose another file.`);
    case 'notJson': {
      const line = new PositionIndex(document.text).positionAt(offset).line + 1;
      const problem = document.problems.find((each) => !isTolerated(each))?.message ?? '';
      const message = t`${startOfSentence(t`line ${line}`)} is not valid JSON: ${problem}`;
      return createRunRefusal('notJson', message, t`Fix the workflow, then run again.`, {
        offset,
        length: 1,
      });
    }
    default: {
      const candidate = promptCandidate(document.root);
      if (candidate?.properties.length === 0) {
        return createRunRefusal('noNodes', t`The workflow has no nodes.`, saveWorkflow(), candidate);
      }
      const nodes = candidate?.properties.filter(({ value }) => isNode(value)).length ?? 0;
      if (candidate && nodes > 0) {
        const entries = candidate.properties.length;
        const broken = candidate.properties.find(({ value }) => !isNode(value));
        return createRunRefusal(
          'notAWorkflow',
          t`The file is not a ComfyUI workflow. Entries that are nodes: ${nodes} of ${entries}.`,
          t`Fix the workflow, then run again.`,
          broken?.key,
        );
      }
      return createRunRefusal('notAWorkflow', format.message, t`Open a workflow file and run it instead.`);
    }
  }
}

const saveWorkflow = (): string => t`Save a workflow in it, or open another file.`;

/** The object that would be the prompt if it contained nodes. */
function promptCandidate(root: JsonNode | undefined): JsonObject | undefined {
  if (root?.kind !== 'object') return undefined;
  const inner = root.get('prompt');
  return inner?.kind === 'object' && !isNode(inner) ? inner : root;
}

function isNode(value: JsonNode | undefined): boolean {
  return value?.kind === 'object' && value.property('class_type') !== undefined;
}

/** comfy-cli adds a `_meta` entry next to the nodes; the server would treat it as a node and reject everything. */
function toolNote(root: JsonObject): TextEdit | undefined {
  const note = root.get('_meta');
  return note && !isNode(note) ? removeProperty(root, '_meta') : undefined;
}

function promptIn(document: WorkflowDocument, root: JsonObject, edits: readonly TextEdit[]): WorkflowPrompt {
  const prompt = document.prompt ?? readPrompt(document.json, root);
  return { kind: 'prompt', document, prompt, places: placesInPrompt(prompt), root, edits };
}
