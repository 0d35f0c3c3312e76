import type { Catalog } from '../../catalog/catalog';
import { indexOfChoices } from '../../check/choiceIndex';
import type { CheckCode } from '../../check/codes';
import { similarNames } from '../../check/similarNames';
import type { Finding, FixHint } from '../../check/finding';
import type { NodeReplacement, NodeReplacements } from '../../catalog/nodeReplacements';
import type { JsonRange } from '../../json/node';
import { commaEdit, type JsonProblem, mayLackQuotes } from '../../json/problem';
import { type TextEdit, sourceTextIn } from '../../json/textEdit';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { outputProposals } from './addOutput';
import { EditPlan } from '../../json/editPlan';
import { valuePlaces } from '../places/graphNodes';
import { jsonPlaceAt } from '../places/jsonPlace';
import { cutLinks, cutRows, linkFixes, type PlannedFix, sureLink } from './linkFixes';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { unwrapEdits } from './wrapping';
import { t } from '../../safety/localize';
import { writeExact } from '../../json/exactWriter';
import { findConsumers } from '../places/promptLinks';

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The one that is certainly right; Fix All applies only these. */
  readonly preferred: boolean;
}

export interface FixContext {
  readonly catalog?: Catalog | undefined;
  readonly replacements?: NodeReplacements | undefined;
}

/** Findings for which the first of several texts is the right one. */
const sureTexts = new Set<CheckCode>(['text-for-boolean', 'value-type', 'value-not-text']);

/** Another name, or the same one in another folder, may be another model: a run with it succeeds, and is wrong. */
const unsureTexts = new Set<CheckCode>(['option-unknown', 'option-in-other-folder']);

/** The fixes of a finding, best first; none if the user has to decide. */
export function fixesForFinding(doc: WorkflowDocument, finding: Finding, context: FixContext = {}): Fix[] {
  return plannedFixes(doc, finding, context).map(({ title, preferred, plan, whole }) => {
    const edits = new EditPlan(doc.text);
    plan(edits);
    return { title, preferred, edits: whole ?? edits.edits() };
  });
}

/** The preferred fixes of all findings in one change, as many as go together: check again for the rest. */
export function fixAll(
  doc: WorkflowDocument,
  findings: readonly Finding[],
  context: FixContext = {},
): TextEdit[] {
  const edits = new EditPlan(doc.text);
  for (const finding of findings) {
    const planned = plannedFixes(doc, finding, { ...context, isOnlyPreferred: true });
    const [best] = planned.filter(({ preferred }) => preferred);
    if (best && !best.whole) best.plan(edits);
  }
  return edits.edits();
}

interface Planning extends FixContext {
  /** Fixes that are not preferred may be left out. */
  readonly isOnlyPreferred?: boolean;
}

function plannedFixes(doc: WorkflowDocument, finding: Finding, context: Planning): PlannedFix[] {
  const { code, fix } = finding;
  if (code === 'json-syntax') return commaFixes(doc, finding);
  if (!fix) return [];
  const valuesAt = (range: JsonRange): readonly JsonRange[] =>
    doc.graph ? valuePlaces(doc.graph, context.catalog, range) : [range];
  switch (fix.kind) {
    case 'replaceText':
      return textFixes(valuesAt(fix.range), fix.texts, isSure(code, fix.texts.length));
    case 'replaceTexts': {
      const { title, isUnsure } = fix;
      const plan: PlannedFix['plan'] = (edits) =>
        fix.edits.forEach((each) => edits.replace(each, each.newText));
      return [{ title, preferred: !isUnsure, plan }];
    }
    case 'chooseFile':
      return fileFixes(fix, valuesAt(fix.range), context.catalog);
    case 'findPack':
      return textFixes(valuesAt(fix.range), fix.texts, false);
    case 'addOutput':
      return outputProposals(doc, context.catalog).map((each) => ({ ...each, preferred: false }));
    case 'cutLink':
      return doc.prompt ? cutLinks(doc.prompt, fix.links, context.catalog) : [];
    case 'cutRow':
      // Only the user knows which other output was meant.
      return doc.graph ? cutRows(doc.graph, fix.places, context.catalog, code !== 'link-type') : [];
    case 'removeDuplicate':
      return duplicateFixes(doc, fix);
    case 'unwrap':
      return [
        {
          title: t`Keep Only the Workflow`,
          preferred: false,
          plan: () => undefined,
          whole: unwrapEdits(doc),
        },
      ];
    default: {
      const node = doc.prompt?.node(fix.nodeId);
      return doc.prompt && node ? nodeFixes(doc.prompt, node, fix, code, context) : [];
    }
  }
}

function isSure(code: CheckCode, texts: number): boolean {
  return sureTexts.has(code) || (texts === 1 && !unsureTexts.has(code));
}

type NodeFix = Extract<FixHint, { readonly nodeId: string }>;

function nodeFixes(
  prompt: Prompt,
  node: PromptNode,
  fix: NodeFix,
  code: CheckCode,
  context: Planning,
): PlannedFix[] {
  const inputs = node.inputsNode?.kind === 'object' ? node.inputsNode : undefined;
  const object = node.node.kind === 'object' ? node.node : undefined;
  const one = (title: string, plan: PlannedFix['plan'], preferred = true): PlannedFix[] => [
    { title, preferred, plan },
  ];
  switch (fix.kind) {
    case 'insertInput':
      return inputs
        ? one(t`Add ${fix.input}: ${short(fix.text)}`, (edits) => edits.set(inputs, fix.input, fix.text))
        : [];
    case 'chooseLink':
      if (!inputs) return [];
      return (context.isOnlyPreferred ? sureLink : linkFixes)(prompt, node, fix, context.catalog);
    case 'removeInput': {
      const property = inputs?.property(fix.input);
      return inputs && property ? one(t`Remove ${fix.input}`, (edits) => edits.remove(inputs, property)) : [];
    }
    case 'renameInput': {
      const key = inputs?.property(fix.input)?.key;
      return fix.names.flatMap((name) => {
        const rename: PlannedFix['plan'] = (edits) => key && edits.replace(key, JSON.stringify(name));
        return key ? one(t`Rename to ${name}`, rename, fix.names.length === 1) : [];
      });
    }
    case 'removeNode': {
      const { root } = prompt;
      const property = root?.property(node.id);
      if (!root || !property) return [];
      return one(t`Remove Node ${node.id}`, (edits) => edits.remove(root, property), code !== 'unused-node');
    }
    case 'replaceNode': {
      const plan: PlannedFix['plan'] = (edits) => {
        const replacement =
          node.classType === undefined ? undefined : context.replacements?.get(node.classType);
        replaceNode(prompt, node, replacement ?? { newClassType: fix.classType }, edits);
      };
      // A deprecated node still works as it is.
      return one(t`Replace with ${fix.classType}`, plan, code !== 'deprecated-class');
    }
    case 'addMeta': {
      const meta = `{"title": ${JSON.stringify(fix.title)}}`;
      return object ? one(t`Add _meta`, (edits) => edits.add(object, '_meta', meta)) : [];
    }
    case 'addInputs':
      return object ? one(t`Add inputs`, (edits) => edits.add(object, 'inputs', '{}')) : [];
  }
}

function commaFixes(doc: WorkflowDocument, finding: Finding): PlannedFix[] {
  const { text, json } = doc;
  const problem = problemOf(doc, finding);
  const edit = problem && commaEdit(text, json.problems, problem);
  if (!edit) return [];
  const title = edit.newText === '' ? t`Remove Comma` : t`Add Comma`;
  const preferred = !mayLackQuotes(text, json.problems, problem);
  return [{ title, preferred, plan: (edits) => edits.replace(edit, edit.newText) }];
}

function problemOf({ json }: WorkflowDocument, { offset, length }: Finding): JsonProblem | undefined {
  return json.problems.find((each) => each.offset === offset && each.length === length);
}

/** The range that offers fixes of a finding: a missing comma is found at what follows, and missed where it belongs. */
export function fixRange(doc: WorkflowDocument, finding: Finding): JsonRange {
  const problem = finding.code === 'json-syntax' ? problemOf(doc, finding) : undefined;
  const start = problem && commaEdit(doc.text, doc.json.problems, problem)?.offset;
  if (start === undefined) return finding;
  return { offset: start, length: finding.offset + finding.length - start };
}

function textFixes(
  places: readonly JsonRange[],
  texts: readonly string[],
  isFirstSure: boolean,
): PlannedFix[] {
  return texts.map((text, index) => ({
    title: t`Change to ${short(text)}`,
    preferred: isFirstSure && index === 0,
    plan: (edits) => places.forEach((place) => edits.replace(place, text)),
  }));
}

export type ChooseFile = Extract<FixHint, { readonly kind: 'chooseFile' }>;

/** The server's files for an input, in its order. */
export function serverFiles(
  { classType, input }: ChooseFile,
  catalog: Catalog | undefined,
): readonly string[] {
  const spec = catalog?.get(classType)?.inputs.find(({ name }) => name === input)?.spec;
  return spec?.kind === 'combo' ? spec.choices.filter((each) => typeof each === 'string') : [];
}

function fileFixes(
  fix: ChooseFile,
  places: readonly JsonRange[],
  catalog: Catalog | undefined,
): PlannedFix[] {
  const files = serverFiles(fix, catalog);
  const index = indexOfChoices(files);
  const same = new Set([...index.spelledLike(fix.fileName), ...index.filesLike(fix.fileName)]);
  const alike = same.size > 0 ? [...same] : similarNames(fix.fileName, files);
  return textFixes(
    places,
    alike.map((each) => JSON.stringify(each)),
    same.size === 1,
  );
}

/** Of two members of one name the last one counts, so removing the others changes nothing for a server. */
function duplicateFixes(
  { json }: WorkflowDocument,
  { range, meantId }: Extract<FixHint, { readonly kind: 'removeDuplicate' }>,
): PlannedFix[] {
  const place = jsonPlaceAt(json, range.offset + 1);
  const object = place?.containers.at(-1);
  const here = place?.property;
  if (place?.at !== 'name' || object?.kind !== 'object' || !here) return [];
  const all = object.properties.filter(({ name }) => name === here.name);
  const counting = all.at(-1);
  const hidden = all.filter((each) => each !== counting);
  if (!counting || hidden.length === 0) return [];
  const renamed = all.flatMap(({ key, value }): PlannedFix[] => {
    if (meantId === undefined) return [];
    const type = value?.kind === 'object' ? value.get('class_type') : undefined;
    const name = type?.kind === 'string' ? type.value : here.name;
    const plan: PlannedFix['plan'] = (edits) => edits.replace(key, JSON.stringify(meantId));
    return [{ title: t`Change the ID of ${name} to ${meantId}`, preferred: false, plan }];
  });
  return [
    ...renamed,
    {
      title: t`Remove the Ignored ${JSON.stringify(here.name)}`,
      preferred: meantId === undefined,
      plan: (edits) => hidden.forEach((each) => edits.remove(object, each)),
    },
    {
      title: t`Remove the Last ${JSON.stringify(here.name)}`,
      preferred: false,
      plan: (edits) => edits.remove(object, counting),
    },
  ];
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Rewrites a node with its replacement: inputs under their new names, outgoing links moved. */
function replaceNode(prompt: Prompt, node: PromptNode, replacement: NodeReplacement, edits: EditPlan): void {
  if (node.classTypeNode) edits.replace(node.classTypeNode, JSON.stringify(replacement.newClassType));
  if (replacement.inputs) replaceInputs(prompt, node, replacement.inputs, edits);
  for (const { oldSlot, newSlot } of replacement.outputs ?? []) {
    if (oldSlot === newSlot) continue;
    for (const { input, slot } of findConsumers(prompt, node.id)) {
      const slotNode = input.valueNode.kind === 'array' ? input.valueNode.items[1] : undefined;
      if (slot === oldSlot && slotNode) edits.replace(slotNode, String(newSlot));
    }
  }
}

function replaceInputs(
  { document }: Prompt,
  node: PromptNode,
  mappings: NonNullable<NodeReplacement['inputs']>,
  edits: EditPlan,
): void {
  const object = node.inputsNode;
  if (object?.kind !== 'object') return;
  const renamed = new Set<string>();
  for (const mapping of mappings) {
    if (!('from' in mapping)) {
      edits.set(object, mapping.name, writeExact(mapping.value));
      renamed.add(mapping.name);
      continue;
    }
    const old = object.property(mapping.from);
    if (!old?.value) continue;
    // An old input can fill several new ones: the first replaces it, the others are added.
    if (!renamed.has(mapping.from)) edits.replace(old.key, JSON.stringify(mapping.name));
    else edits.add(object, mapping.name, sourceTextIn(document.text, old.value));
    renamed.add(mapping.from);
  }
  for (const property of object.properties) if (!renamed.has(property.name)) edits.remove(object, property);
}
