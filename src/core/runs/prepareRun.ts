import { createHash, randomUUID } from 'node:crypto';
import type { Catalog } from '../catalog/catalog';
import { applyEdits, insertProperty, sourceTextIn, type TextEdit } from '../json/textEdit';
import type { Finding } from '../check/finding';
import type { JobOrigin } from '../jobs/job';
import type { InputToKeep } from '../records/keepInputs';
import type { ServerDefinitions } from '../server/serverDefinitions';
import { findMediaInputs, type MediaInput } from '../workflow/mediaInputs';
import { findPartnerNodes } from '../workflow/classTypePlaces';
import { inputSpecs, type Prompt } from '../workflow/prompt';
import { newSeedEdits, type RandomSeed, type SeedEdit, findSeeds } from '../workflow/seeds';
import { carriedGraphWith, type CarriedGraph, graphTextWith } from './graphPrompt';
import { workflowErrors, judgeRun } from './judgeRun';
import { promptHash } from './promptHash';
import { randomSeed, specialSeedEdits } from './randomSeed';
import type { RunChoices, RunSource } from './runChoices';
import { createRunRefusal, type RunRefusal } from './runRefusal';
import { readWorkflowPrompt } from './readWorkflowPrompt';
import type { CompiledGraph, WorkflowPrompt } from './workflowPrompt';
import type { PromptPlaces } from '../workflow/promptPlaces';
import { t } from '../safety/localize';

/** A media input that names a file in the server's input folder: it may have to be uploaded first. */
export interface PreparedMedia extends MediaInput {
  /** The server's node definitions list this file: one of that name is there already. */
  readonly listed: boolean;
}

/** A node that calls a paid service of a partner (workflows 3). */
export interface PreparedPartnerNode {
  readonly nodeId: string;
  readonly classType: string;
  readonly title: string;
}

/** Checked as far as could be, and seeded. Uploads change its texts; the key for partner nodes comes last. */
export interface PreparedRun {
  readonly kind: 'prepared';
  readonly choices: RunChoices;
  readonly promptId: string;
  /** The prompt: of a graph file the one that was compiled, a text of its own. */
  readonly prompt: Prompt;
  readonly places: PromptPlaces;
  /** The server writes it into the pictures. */
  readonly graph?: CompiledGraph | undefined;
  readonly carried?: CarriedGraph | undefined;
  readonly promptText: string;
  /** It has the same edits; missing too if a graph that came with the prompt has no place for them. */
  readonly workflowText?: string | undefined;
  /** Edits that the texts carry, with offsets in the text of `prompt`. */
  readonly edits: readonly TextEdit[];
  readonly origin: JobOrigin;
  readonly media: readonly PreparedMedia[];
  /** The local files of `media`, once they are on the server. */
  readonly inputs?: readonly InputToKeep[] | undefined;
  readonly partnerNodes: readonly PreparedPartnerNode[];
  /** With `force`, these include the errors that would stop the server. */
  readonly findings: readonly Finding[];
  /** False without node definitions: only the structure was looked at. */
  readonly checked: boolean;
  /** Key for partner nodes: only in what is sent, never in a `RunOutcome`. */
  readonly partnerKey?: string | undefined;
}

/**
 * Prepares a workflow text for sending, or explains in one sentence why not. Reads only the text and sends nothing. The
 * prompt is cut from the text: numbers keep every digit, keys their order; its wrapper (client ID, extra data) is not
 * sent. A graph is compiled to its prompt first.
 */
export function prepareRun(
  source: RunSource,
  choices: RunChoices,
  { catalog, replacements, version: serverVersion }: ServerDefinitions,
  draw: RandomSeed = randomSeed,
  lastSeeds: Readonly<Record<string, string>> = {},
): PreparedRun | RunRefusal {
  const { workflow } = source;
  const { targets = [], force, allowLoss } = choices;
  const read = readWorkflowPrompt(workflow, catalog, choices.dynamicPrompts);
  if (read.kind === 'refused') {
    if (read.reason !== 'graphInvalid') return read;
    return { ...read, findings: workflowErrors(workflow, { catalog, replacements, serverVersion }) };
  }
  const { prompt, places, graph } = read;
  const unknownTarget = targets.find((id) => prompt.node(id) === undefined);
  if (unknownTarget !== undefined) {
    const message = t`The workflow has no node ${unknownTarget}.`;
    return createRunRefusal('unknownTarget', message, t`Choose an output node of this workflow.`);
  }
  const judged = judgeRun(read, { catalog, replacements, serverVersion, targets, force, allowLoss });
  if (judged.refusal && (judged.refusal.reason !== 'invalid' || force !== true)) return judged.refusal;
  // A test compares runs with each other.
  const isRepeatable = choices.dynamicPrompts === 'first';
  const special = specialSeedEdits(read, lastSeeds, isRepeatable ? (min) => min : draw);
  const chosen = new Set(special.map(({ offset }) => offset));
  const fresh = choices.seeds === 'new' ? newSeedEdits(prompt, catalog, draw) : [];
  const seedEdits = [...special, ...fresh.filter(({ offset }) => !chosen.has(offset))];
  const run: PreparedRun = {
    kind: 'prepared',
    choices,
    promptId: randomUUID(),
    prompt,
    places,
    graph,
    carried: source.workflowText === undefined ? undefined : { text: source.workflowText, catalog },
    promptText: '',
    edits: [],
    origin: { ...runOrigin(source, read, catalog, seedEdits), ...runOutputNodes(prompt, catalog, targets) },
    media: findMediaInputs(prompt, catalog)
      .filter(({ folder }) => folder === 'input')
      .map((media) => ({ ...media, listed: isListed(prompt, catalog, media) })),
    partnerNodes: catalog ? preparedPartnerNodes(prompt, catalog) : [],
    findings: judged.findings,
    checked: catalog !== undefined,
  };
  return withEdits(run, [...read.edits, ...seedEdits, ...titlesForReplacement(read, catalog)]);
}

export function withEdits(run: PreparedRun, more: readonly TextEdit[]): PreparedRun {
  const { prompt, graph, carried } = run;
  const { text } = prompt.document;
  const edits = [...run.edits, ...more];
  const range = prompt.root ?? { offset: 0, length: text.length };
  // Nothing but the edits changes: digits and the order of keys stay.
  const own = edits.map((edit) => ({ ...edit, offset: edit.offset - range.offset }));
  const promptText = applyEdits(sourceTextIn(text, range), own);
  const workflowText = graph
    ? graphTextWith(graph, prompt, edits)
    : carried && carriedGraphWith(carried, prompt, edits, promptText);
  return { ...run, edits, promptText, workflowText };
}

function runOrigin(
  { workflow, label, uri, fileText = workflow.text, batch }: RunSource,
  read: WorkflowPrompt,
  catalog: Catalog | undefined,
  seedEdits: readonly SeedEdit[],
): JobOrigin {
  const { prompt } = read;
  const hash = promptHash(read, catalog);
  return {
    label,
    ...(uri !== undefined && { sourceUri: uri.toString() }),
    sourceHash: createHash('sha256').update(fileText).digest('hex'),
    ...(hash !== undefined && { promptHash: hash }),
    nodeNames: Object.fromEntries(
      prompt.nodes.map((node) => [node.id, node.title ?? node.classType ?? node.id]),
    ),
    seeds: sentSeeds(prompt, catalog, seedEdits),
    ...(batch && { batch }),
  };
}

/** Outputs are unknown if a type has no definition here. */
function runOutputNodes(
  { nodes }: Prompt,
  catalog: Catalog | undefined,
  targets: readonly string[],
): Pick<JobOrigin, 'outputNodes'> {
  const outputNodes: string[] = [];
  for (const { id, classType } of nodes) {
    const definition = classType === undefined ? undefined : catalog?.get(classType);
    if (!definition) return {};
    if (definition.isOutputNode && (targets.length === 0 || targets.includes(id))) outputNodes.push(id);
  }
  return { outputNodes };
}

/** A server that replaces an old node type fails on nodes without `_meta` (workflows 1.1). */
function titlesForReplacement({ prompt }: WorkflowPrompt, catalog: Catalog | undefined): TextEdit[] {
  if (!catalog) return [];
  return prompt.nodes.flatMap(({ node, classType }) => {
    if (node.kind !== 'object' || classType === undefined || catalog.get(classType)) return [];
    if (node.property('_meta')) return [];
    return [insertProperty(prompt.document.text, node, '_meta', JSON.stringify({ title: classType }))];
  });
}

function sentSeeds(
  prompt: Prompt,
  catalog: Catalog | undefined,
  edits: readonly SeedEdit[],
): Readonly<Record<string, string>> {
  const changed = new Map(edits.map((edit) => [edit.offset, edit.newText]));
  return Object.fromEntries(
    findSeeds(prompt, catalog).map(({ node, input }) => {
      const { offset, length } = input.valueNode;
      const digits = changed.get(offset) ?? prompt.document.text.slice(offset, offset + length);
      return [`${node.id}.${input.name}`, digits];
    }),
  );
}

function isListed(
  prompt: Prompt,
  catalog: Catalog | undefined,
  { nodeId, input, value }: MediaInput,
): boolean {
  const node = prompt.node(nodeId);
  const spec = node && inputSpecs(node, catalog).get(input);
  return spec?.kind === 'combo' && spec.choices.includes(value);
}

function preparedPartnerNodes(prompt: Prompt, catalog: Catalog): PreparedPartnerNode[] {
  const classTypes = new Set(findPartnerNodes(prompt, catalog));
  return prompt.nodes.flatMap(({ id, classType, title }) => {
    if (classType === undefined || !classTypes.has(classType)) return [];
    return [{ nodeId: id, classType, title: title ?? classType }];
  });
}
