import { createHash } from 'node:crypto';
import type { Catalog } from '../catalog/catalog';
import type { NodeReplacements } from '../catalog/nodeReplacements';
import { expandInputs } from '../catalog/dynamic';
import { insertProperty } from '../json/textEdit';
import type { TextEdit } from '../json/textEdit';
import { mediaInputsOf } from '../workflow/mediaInputs';
import { partnerNodesOf } from '../workflow/partnerNodes';
import { valueOf } from '../workflow/prompt';
import type { Prompt } from '../workflow/prompt';
import { newSeedEdits, seedsOf } from '../workflow/seeds';
import type { RandomSeed, SeedEdit } from '../workflow/seeds';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { errorsIn, judgeRun } from './judgeRun';
import type { PreparedMedia, PreparedPartnerNode, PreparedRun } from './preparedRun';
import { extractPrompt } from './extractPrompt';
import { promptHash } from './promptHash';
import { randomSeed } from './randomSeed';
import { refusal } from './runRefusal';
import type { RunRefusal } from './runRefusal';
import { readWorkflowPrompt } from './readWorkflowPrompt';
import type { WorkflowPrompt } from './workflowPrompt';
import { t } from '../safety/localize';

export interface PrepareOptions {
  /** Node definitions of the server; without them only the structure is checked. */
  readonly catalog?: Catalog | undefined;
  /** Old node types that the server replaces itself. */
  readonly replacements?: NodeReplacements | undefined;
  readonly seeds: 'keep' | 'new';
  /** The only output nodes to run. */
  readonly targets?: readonly string[] | undefined;
  /** Send although the server is expected to refuse it; what would stop the server is refused all the same. */
  readonly force?: boolean | undefined;
  /** Draws new seeds; by default cryptographically random. */
  readonly randomSeed?: RandomSeed | undefined;
}

/**
 * Prepares a workflow text for sending, or explains in one sentence why not. Reads only the text and sends nothing. The
 * prompt is cut from the text: numbers keep every digit, keys their order; its wrapper (client ID, extra data) is not
 * sent. A graph is compiled to its prompt first.
 */
export function prepareRun(document: WorkflowDocument, options: PrepareOptions): PreparedRun | RunRefusal {
  const { catalog, replacements, targets = [] } = options;
  const read = readWorkflowPrompt(document, catalog);
  if (read.kind === 'refused') {
    if (read.reason !== 'graphInvalid') return read;
    return { ...read, findings: errorsIn(document, { catalog, replacements }) };
  }
  const { prompt, places, graph } = read;
  const unknownTarget = targets.find((id) => prompt.node(id) === undefined);
  if (unknownTarget !== undefined) {
    const message = t`The workflow has no node ${unknownTarget} to run.`;
    return refusal('unknownTarget', message, t`Choose an output node of this workflow.`);
  }
  const judged = judgeRun(read, { catalog, replacements, targets, force: options.force });
  if (judged.refusal && (judged.refusal.reason !== 'invalid' || options.force !== true))
    return judged.refusal;
  const seedEdits =
    options.seeds === 'new' ? newSeedEdits(prompt, catalog, options.randomSeed ?? randomSeed) : [];
  const edits = [...read.edits, ...seedEdits, ...titlesForReplacement(read, catalog)];
  return {
    kind: 'prepared',
    prompt,
    places,
    graph,
    promptText: extractPrompt(prompt.document.text, read.root, edits),
    edits,
    sourceHash: createHash('sha256').update(document.text).digest('hex'),
    promptHash: promptHash(read, catalog),
    nodeNames: Object.fromEntries(
      prompt.nodes.map((node) => [node.id, node.title ?? node.classType ?? node.id]),
    ),
    seeds: sentSeeds(prompt, catalog, seedEdits),
    media: mediaOf(prompt, catalog),
    partnerNodes: catalog ? partnersOf(prompt, catalog) : [],
    findings: judged.findings,
    checked: catalog !== undefined,
    targets,
  };
}

/**
 * A server that replaces an old node type fails on nodes without `_meta` (workflows 1.1), so nodes of types that it
 * does not list get one. All others are sent unchanged.
 */
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
    seedsOf(prompt, catalog).map(({ node, input }) => {
      const { offset, length } = input.valueNode;
      const digits = changed.get(offset) ?? prompt.document.text.slice(offset, offset + length);
      return [`${node.id}.${input.name}`, digits];
    }),
  );
}

function mediaOf(prompt: Prompt, catalog: Catalog | undefined): PreparedMedia[] {
  return mediaInputsOf(prompt, catalog)
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
  const given = new Map(node.inputs.map((input) => [input.name, valueOf(input)]));
  const spec = expandInputs(definition, given).inputs.find(({ name }) => name === inputName)?.spec;
  return spec?.kind === 'combo' && spec.choices.includes(value);
}

function partnersOf(prompt: Prompt, catalog: Catalog): PreparedPartnerNode[] {
  const classTypes = new Set(partnerNodesOf(prompt, catalog));
  return prompt.nodes.flatMap(({ id, classType, title }) => {
    if (classType === undefined || !classTypes.has(classType)) return [];
    return [{ nodeId: id, classType, title: title ?? classType }];
  });
}
