import type { Catalog } from '../catalog/catalog';
import { predictVerdict } from '../check/verdict';
import type { Verdict } from '../check/verdict';
import { nodesInWords } from '../check/wording';
import type { NodeReplacements } from '../check/replacements';
import type { ValidationError } from '../check/validationError';
import { knownValidators } from '../check/knownValidators';
import type { NodeValidator, NodeValidators } from '../check/validators';
import type { MissingInside } from '../workflow/graph/groupNodes';
import type { Prompt } from '../workflow/prompt';
import { oncePerLoop } from './oncePerLoop';
import { placesInPrompt } from './promptPlaces';
import type { RunProblem } from './runRefusal';

export interface ExpectedProblems {
  /** The server would refuse the prompt for these. */
  readonly errors: readonly RunProblem[];
  /** The server would take the prompt and leave out the branches that these are in. */
  readonly warnings: readonly RunProblem[];
}

export interface ExpectationOptions {
  readonly targets: readonly string[];
  readonly replacements?: NodeReplacements | undefined;
  /** What a group node, by its id in the prompt, is lacking inside. */
  readonly missingInside?: ((nodeId: string) => MissingInside | undefined) | undefined;
}

/** What the server is expected to say about a prompt, at the places of the file. */
export function expectedProblems(
  prompt: Prompt,
  catalog: Catalog,
  options: ExpectationOptions,
): ExpectedProblems {
  const { targets, replacements, missingInside } = options;
  const verdict = predictVerdict(prompt, catalog, {
    validators: uploadsLeftToServer(catalog, prompt),
    ...(replacements && { replacements }),
    ...(targets.length > 0 && { partialTargets: targets }),
  });
  // The only crash left is that over a missing `_meta`, and the prompt that is sent has one where it counts.
  if (verdict.crash) return { errors: [], warnings: [] };
  const problems = nodeProblems(verdict, prompt);
  if (verdict.valid) return { errors: [], warnings: problems };
  const unknown =
    verdict.error?.type === 'missing_node_type'
      ? unknownClasses(prompt, catalog, replacements, missingInside)
      : [];
  if (unknown.length > 0) return { errors: unknown, warnings: problems };
  return { errors: problems.length > 0 ? problems : promptProblem(verdict, prompt), warnings: [] };
}

/**
 * Whether a media file is on the server is not told by the list in the definitions: it may have been uploaded since,
 * or be written with its folder (workflows 4.8). The same goes for the few other inputs that a class checks itself.
 */
function uploadsLeftToServer(catalog: Catalog, prompt: Prompt): NodeValidators {
  const table = new Map<string, NodeValidator>();
  for (const { classType } of prompt.nodes) {
    const definition = classType === undefined ? undefined : catalog.get(classType);
    if (classType === undefined || !definition || table.has(classType)) continue;
    const uploads = definition.inputs.filter(
      ({ spec }) => spec.kind === 'combo' && spec.upload !== undefined,
    );
    const inputs = new Set([...uploads.map(({ name }) => name), ...(checkedByClass[classType] ?? [])]);
    const takesAll = checkEverything.has(classType);
    // Of other classes nobody knows whether they have a check at all.
    const { optional, opensFiles } = knownValidators.get(classType) ?? { optional: inputs };
    const known = { ...(optional && { optional }), ...(opensFiles && { opensFiles }) };
    if (inputs.size > 0 || takesAll) table.set(classType, { inputs, takesAll, takesTypes: false, ...known });
  }
  return table;
}

/** Inputs of the server's own classes that have a check of their own and are no uploads (workflows 4.8). */
const checkedByClass: Readonly<Record<string, readonly string[]>> = {
  LoadImageOutput: ['image'],
  LoadLatent: ['latent'],
  ModelAttentionBackend: ['attention'],
  SelectModelDevice: ['device'],
  SelectCLIPDevice: ['device'],
  SelectVAEDevice: ['device'],
  FluxProUltraImageNode: ['aspect_ratio'],
};

const checkEverything = new Set(['CustomCombo', 'Load3D', 'Load3DAdvanced', 'TripoConversionNode']);

function nodeProblems(verdict: Verdict, prompt: Prompt): RunProblem[] {
  const isNew = oncePerLoop();
  return [...verdict.nodeErrors].flatMap(([nodeId, { errors }]) =>
    errors.filter(isNew).map((error) => problemOf(nodeId, error, prompt)),
  );
}

function problemOf(nodeId: string, error: ValidationError, prompt: Prompt): RunProblem {
  const { place, type } = error;
  const { offset, length } = place?.range ?? placesInPrompt(prompt).node(nodeId);
  const node = prompt.node(nodeId);
  const name = node?.classType === undefined ? `Node ${nodeId}` : `${node.classType} (node ${nodeId})`;
  const words = error.details === '' ? error.message : `${error.message}: ${error.details}`;
  return {
    nodeId,
    ...(place?.input && { input: place.input.name }),
    offset,
    length,
    message: `${name}: ${words}`,
    type,
  };
}

/** The server names only the first; a person wants to know all that are missing, each class once. */
function unknownClasses(
  prompt: Prompt,
  catalog: Catalog,
  replacements?: NodeReplacements,
  missingInside?: ExpectationOptions['missingInside'],
): RunProblem[] {
  const idsByClass = new Map<string, [string, ...string[]]>();
  for (const { id, classType } of prompt.nodes) {
    if (classType === undefined || catalog.has(classType) || replacements?.has(classType) === true) continue;
    const ids = idsByClass.get(classType);
    if (ids) ids.push(id);
    else idsByClass.set(classType, [id]);
  }
  const places = placesInPrompt(prompt);
  return [...idsByClass].map(([classType, ids]) => {
    const [nodeId] = ids;
    const inside = missingInside?.(nodeId);
    const message = inside
      ? `The group node ${inside.group} (${nodesInWords(ids)}) needs node types that the server doesn't have: ${inside.nodes.map(({ type }) => type).join(', ')}.`
      : `The server doesn't have the node type ${classType} (${nodesInWords(ids)}).`;
    return { nodeId, ...places.node(nodeId), message, type: 'missing_node_type' };
  });
}

function promptProblem({ error }: Verdict, prompt: Prompt): RunProblem[] {
  const message =
    error?.type === 'prompt_no_outputs'
      ? 'The workflow has no output node, such as Save Image.'
      : (error?.message ?? 'The server rejects the prompt.');
  const { offset, length } = { offset: prompt.root?.offset ?? 0, length: 1 };
  return [{ nodeId: '', offset, length, message, type: error?.type ?? 'invalid_prompt' }];
}
