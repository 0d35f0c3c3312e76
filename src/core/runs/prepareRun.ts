import { createHash, randomUUID } from 'node:crypto';
import type { Catalog } from '../catalog/catalog';
import { expandInputs } from '../catalog/dynamic';
import { applyEdits, insertProperty, type TextEdit } from '../json/textEdit';
import type { JobOrigin } from '../jobs/job';
import type { ServerDefinitions } from '../server/serverDefinitions';
import { findMediaInputs } from '../workflow/mediaInputs';
import { findPartnerNodes } from '../workflow/classTypePlaces';
import { type Prompt, exactInputValue } from '../workflow/prompt';
import { newSeedEdits, type RandomSeed, type SeedEdit, findSeeds } from '../workflow/seeds';
import { carriedGraphWith, graphTextWith } from './graphPrompt';
import { errorsIn, judgeRun } from './judgeRun';
import type { PreparedMedia, PreparedPartnerNode, PreparedRun } from './preparedRun';
import { promptHash } from './promptHash';
import { randomSeed, specialSeedEdits } from './randomSeed';
import type { RunChoices, RunSource } from './runChoices';
import { createRunRefusal, type RunRefusal } from './runRefusal';
import { readWorkflowPrompt } from './readWorkflowPrompt';
import type { WorkflowPrompt } from './workflowPrompt';
import { t } from '../safety/localize';
import type { JsonRange } from '../json/node';

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
    return { ...read, findings: errorsIn(workflow, { catalog, replacements, serverVersion }) };
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
    origin: { ...originOf(source, read, catalog, seedEdits), ...outputsOf(prompt, catalog, targets) },
    media: mediaOf(prompt, catalog),
    partnerNodes: catalog ? partnersOf(prompt, catalog) : [],
    findings: judged.findings,
    checked: catalog !== undefined,
  };
  return withEdits(run, [...read.edits, ...seedEdits, ...titlesForReplacement(read, catalog)]);
}

export function withEdits(run: PreparedRun, more: readonly TextEdit[]): PreparedRun {
  const { prompt, graph, carried } = run;
  const { text } = prompt.document;
  const edits = [...run.edits, ...more];
  const promptText = extractPrompt(text, prompt.root ?? { offset: 0, length: text.length }, edits);
  const workflowText = graph
    ? graphTextWith(graph, prompt, edits)
    : carried && carriedGraphWith(carried, prompt, edits, promptText);
  return { ...run, edits, promptText, workflowText };
}

function originOf(
  { workflow, label, uri, batch }: RunSource,
  read: WorkflowPrompt,
  catalog: Catalog | undefined,
  seedEdits: readonly SeedEdit[],
): JobOrigin {
  const { prompt } = read;
  const hash = promptHash(read, catalog);
  return {
    label,
    ...(uri !== undefined && { sourceUri: uri.toString() }),
    sourceHash: createHash('sha256').update(workflow.text).digest('hex'),
    ...(hash !== undefined && { promptHash: hash }),
    nodeNames: Object.fromEntries(
      prompt.nodes.map((node) => [node.id, node.title ?? node.classType ?? node.id]),
    ),
    seeds: sentSeeds(prompt, catalog, seedEdits),
    ...(batch && { batch }),
  };
}

/** Outputs are unknown if a type has no definition here. */
function outputsOf(
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

function mediaOf(prompt: Prompt, catalog: Catalog | undefined): PreparedMedia[] {
  return findMediaInputs(prompt, catalog)
    .filter(({ folder }) => folder === 'input')
    .map((media) => ({
      ...media,
      listed: isListed(prompt, catalog, media.nodeId, media.input, media.value),
    }));
}

function isListed(
  prompt: Prompt,
  catalog: Catalog | undefined,
  nodeId: string,
  inputName: string,
  value: string,
): boolean {
  const node = prompt.node(nodeId);
  const definition = node?.classType === undefined ? undefined : catalog?.get(node.classType);
  if (!node || !definition) return false;
  const given = new Map(node.inputs.map((input) => [input.name, exactInputValue(input)]));
  const spec = expandInputs(definition, given).inputs.find(({ name }) => name === inputName)?.spec;
  return spec?.kind === 'combo' && spec.choices.includes(value);
}

function partnersOf(prompt: Prompt, catalog: Catalog): PreparedPartnerNode[] {
  const classTypes = new Set(findPartnerNodes(prompt, catalog));
  return prompt.nodes.flatMap(({ id, classType, title }) => {
    if (classType === undefined || !classTypes.has(classType)) return [];
    return [{ nodeId: id, classType, title: title ?? classType }];
  });
}

/** Nothing but the edits changes, whose offsets are in the entire text: digits and the order of keys stay. */
function extractPrompt(text: string, range: JsonRange, edits: readonly TextEdit[]): string {
  const cut = text.slice(range.offset, range.offset + range.length);
  return applyEdits(
    cut,
    edits.map((edit) => ({ ...edit, offset: edit.offset - range.offset })),
  );
}
