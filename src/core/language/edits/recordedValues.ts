import type { Catalog } from '../../catalog/catalog';
import type { JsonRange } from '../../json/node';
import { replaceValue, type TextEdit, sourceTextIn } from '../../json/textEdit';
import { t } from '../../safety/localize';
import { compiledOnce } from '../../workflow/graph/compileGraph';
import { promptInputNamed, type Prompt, type PromptInput, type PromptNode } from '../../workflow/prompt';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { inputPlaces } from '../places/graphNodes';

export interface RecordedValues {
  readonly prompt: Prompt;
  readonly isWanted: (nodeId: string, input: string) => boolean;
}

export type RecordedEdits =
  | {
      readonly kind: 'edits';
      readonly edits: readonly TextEdit[];
      /** Values that no longer fit, one sentence each. */
      readonly left: readonly string[];
    }
  | { readonly kind: 'needsDefinitions' }
  | { readonly kind: 'problem'; readonly message: string };

/** Nodes are matched by ID and type; only values that are in the file change, digit for digit, never links. */
export function recordedEdits(
  doc: WorkflowDocument,
  recorded: RecordedValues,
  catalog: Catalog | undefined,
): RecordedEdits {
  const target = targetOf(doc, catalog);
  return 'kind' in target ? target : { kind: 'edits', ...editsFor(target, recorded) };
}

interface Target {
  readonly prompt: Prompt;
  readonly placesOf: (node: PromptNode, input: PromptInput) => readonly JsonRange[];
}

function targetOf(
  { prompt, graph }: WorkflowDocument,
  catalog: Catalog | undefined,
): Target | Exclude<RecordedEdits, { kind: 'edits' }> {
  if (prompt) return { prompt, placesOf: (_, { valueNode }) => [valueNode] };
  if (!graph) return { kind: 'problem', message: t`The file contains no workflow.` };
  if (!catalog) return { kind: 'needsDefinitions' };
  const compiled = compiledOnce(graph, catalog);
  if (compiled.kind === 'failed') return { kind: 'problem', message: compiled.problem.message };
  const placesOf: Target['placesOf'] = (node, input) => inputPlaces(graph, catalog, compiled, node, input);
  return { prompt: compiled.prompt, placesOf };
}

function editsFor(
  target: Target,
  { prompt, isWanted }: RecordedValues,
): { readonly edits: readonly TextEdit[]; readonly left: readonly string[] } {
  const edits = new Map<number, TextEdit>();
  const left: string[] = [];
  for (const node of prompt.nodes) {
    const inputs = node.inputs.filter(({ name, link }) => !link && isWanted(node.id, name));
    if (inputs.length === 0) continue;
    const now = target.prompt.node(node.id);
    if (!now) left.push(t`${nameOf(node)} is not in the file.`);
    else if (now.classType !== node.classType) left.push(t`${nameOf(node)} is now ${now.classType ?? ''}.`);
    else
      for (const input of inputs) {
        const why = addEdit(edits, target, now, input, prompt);
        if (why !== undefined) left.push(why);
      }
  }
  return { edits: [...edits.values()], left };
}

/** Adds the edit that sets one value; a sentence if that is not possible. */
function addEdit(
  edits: Map<number, TextEdit>,
  target: Target,
  node: PromptNode,
  wanted: PromptInput,
  recorded: Prompt,
): string | undefined {
  const name = `${nameOf(node)}, ${wanted.name}`;
  const input = promptInputNamed(node, wanted.name);
  if (!input) return t`${name} is not in the file.`;
  if (isSame(target.prompt, input, recorded, wanted)) return undefined;
  if (input.link) return t`${name} is now linked to node ${input.link.nodeId}.`;
  const places = target.placesOf(node, input);
  if (places.length === 0) return t`${name} is not in the file.`;
  const newText = sourceTextIn(recorded.document.text, wanted.valueNode);
  for (const place of places) {
    const known = edits.get(place.offset);
    // An instance of a subgraph shares its values with the others.
    if (known && known.newText !== newText) return t`${name} is shared and had different values.`;
    edits.set(place.offset, replaceValue(place, newText));
  }
  return undefined;
}

/** Texts may be spelled differently; of numbers every character counts. */
function isSame(now: Prompt, input: PromptInput, recorded: Prompt, wanted: PromptInput): boolean {
  const [a, b] = [input.valueNode, wanted.valueNode];
  if (a.kind === 'string' && b.kind === 'string') return a.value === b.value;
  return sourceTextIn(now.document.text, a) === sourceTextIn(recorded.document.text, b);
}

function nameOf({ id, title, classType }: PromptNode): string {
  return `${title ?? classType ?? t`Node`} (${id})`;
}
