import type { JsonNode, JsonObject } from '../json/node';
import { isTolerated } from '../json/problem';
import type { JsonDocument } from '../json/tree';
import { budgets } from '../safety/budgets';
import { numberText, sentencesText, t } from '../safety/localize';

export type WorkflowFormat =
  | { readonly kind: 'api'; readonly node: JsonObject }
  | { readonly kind: 'graph'; readonly node: JsonObject }
  | WrapperFormat
  | { readonly kind: 'objectInfo'; readonly node: JsonObject }
  | NoWorkflow;

/** A request body or a result with the workflow one or two keys deep. */
export interface WrapperFormat {
  readonly kind: 'wrapper';
  readonly path: readonly string[];
  readonly inner: 'api' | 'graph';
  readonly node: JsonObject;
}

export interface NoWorkflow {
  readonly kind: 'none';
  readonly reason: 'empty' | 'notJson' | 'notAnObject' | 'notAWorkflow' | 'tooLarge';
  readonly message: string;
  /** The offset where the text stops being valid JSON; 0 for the other reasons. */
  readonly offset: number;
  /** The format of an invalid text once it is valid again: an editor can keep using it while the user types. */
  readonly almost?: Exclude<WorkflowFormat, NoWorkflow>;
}

/** Paths of the workflow in wrappers (workflows 1.1). */
const wrapperPaths: readonly (readonly string[])[] = [
  ['prompt'],
  ['output'],
  ['workflow'],
  ['input', 'workflow'],
  ['input', 'prompt'],
  ['workflow', 'prompt'],
  // A job of the history: its number, its ID, the prompt, and what was sent with it.
  ['prompt', '2'],
  ['prompt', '3', 'extra_pnginfo', 'workflow'],
];

/** Detects a document's format, by the shapes of real files (workflows 1.1). */
export function detectFormat(document: JsonDocument): WorkflowFormat {
  if (document.text.trim() === '' || document.text === '\uFEFF') {
    return none(
      'empty',
      sentencesText(t`The file is empty.`, t`Save a workflow in it, or open another file.`),
    );
  }
  if (isRunRecord(document.text)) {
    return none(
      'notAWorkflow',
      t`The file is a run record, not a workflow. Run it again from its page, or with “comfy-deck rerun”.`,
    );
  }
  const shape = shapeOf(document.root);
  const problem = document.problems.find((each) => !isTolerated(each));
  if (problem?.kind === 'tooMany') return none('tooLarge', problem.message);
  if (problem) {
    const message = t`${t`The file`} is not valid JSON: ${problem.message}`;
    const almost = shape ? { almost: shape } : {};
    return { kind: 'none', reason: 'notJson', message, offset: problem.offset, ...almost };
  }
  const other = otherProgramOf(document.root);
  if (other !== undefined && !shape) {
    const message = other
      ? t`The file was made for ${other}, not for ComfyUI.`
      : t`The file was made for another program, not for ComfyUI.`;
    return none('notAWorkflow', message);
  }
  if (document.root?.kind !== 'object') {
    return none('notAnObject', t`A workflow must be an object of nodes.`);
  }
  if (shape?.kind !== 'objectInfo' && (document.values ?? 0) > budgets.workflowValues) {
    const most = numberText(budgets.workflowValues);
    return none('tooLarge', t`${t`The file`} has more than ${most} values, so it wasn't read.`);
  }
  return shape ?? none('notAWorkflow', whyNoWorkflow(document.root));
}

function whyNoWorkflow(root: JsonObject): string {
  const jobs = jobsIn(root).length;
  if (jobs > 1)
    return t`The file is a server's history of ${jobs} jobs. Save one of them, as GET /history/ID returns it.`;
  const path = findWrittenWorkflow(root)?.path;
  if (path) {
    return t`The workflow is in the text of ${JSON.stringify(path.join('.'))}. Write it to a file with “comfy-deck extract”.`;
  }
  return t`The file is JSON, but not a ComfyUI workflow. Save or export one from the ComfyUI editor.`;
}

/** A member whose text is a workflow, at most three deep: requests of some services have it so. */
export function findWrittenWorkflow(
  root: JsonObject,
  depth = 3,
): { readonly path: readonly string[]; readonly text: string } | undefined {
  for (const { name, value } of root.properties) {
    if (value?.kind === 'string' && isWrittenWorkflow(value.value))
      return { path: [name], text: value.value };
    const inner = value?.kind === 'object' && depth > 1 ? findWrittenWorkflow(value, depth - 1) : undefined;
    if (inner) return { ...inner, path: [name, ...inner.path] };
  }
  return undefined;
}

function isWrittenWorkflow(text: string): boolean {
  return /^\s*\{/.test(text) && /"(?:class_type|nodes)"\s*:/.test(text);
}

export function promptObjectOfFile(format: WorkflowFormat): JsonObject | undefined {
  if (format.kind === 'api') return format.node;
  return format.kind === 'wrapper' && format.inner === 'api' ? format.node : undefined;
}

const sniffLength = 65_536;

/** A guess from the first 64 KB, without parsing: false only if {@link detectFormat} would find nothing. For file listings. */
export function looksLikeWorkflow(text: string): boolean {
  const head = text.slice(0, sniffLength);
  // JSON with Comments may begin with them.
  if (!/^\uFEFF?\s*(?:\{|\/[*/])/.test(head)) return false;
  if (isRunRecord(head)) return false;
  if (/"class_type"\s*:/.test(head)) return true;
  // Nodes that alone fill the beginning, such as one with a base64 picture: what else identifies it comes later.
  if (text.length >= sniffLength && /"inputs"\s*:\s*\{|"nodes"\s*:\s*\[/.test(head)) return true;
  if (/"nodes"\s*:\s*\[/.test(head)) {
    return /"(?:links|last_node_id|last_link_id|widgets_values|definitions|state|version)"\s*:/.test(head);
  }
  return /"(?:last_node_id|last_link_id|revision)"\s*:/.test(head);
}

/** A guess for menus, from the same part: inputs are objects in a prompt and lists in a graph. */
export function looksLikeGraph(text: string): boolean {
  if (!looksLikeWorkflow(text)) return false;
  const head = text.slice(0, sniffLength);
  return !/"class_type"\s*:/.test(head) && !/"inputs"\s*:\s*\{/.test(head);
}

/** Run records contain their prompt and graph as wrappers do, and begin like no workflow (docs/run-record.md). */
function isRunRecord(text: string): boolean {
  return /^\uFEFF?\s*\{\s*"format"\s*:\s*\d+\s*,\s*"state"\s*:\s*"/.test(text);
}

function none(reason: NoWorkflow['reason'], message: string): NoWorkflow {
  return { kind: 'none', reason, message, offset: 0 };
}

function shapeOf(root: JsonNode | undefined): Exclude<WorkflowFormat, NoWorkflow> | undefined {
  if (root?.kind !== 'object') return undefined;
  if (isGraph(root)) return { kind: 'graph', node: root };
  if (isApi(root)) return { kind: 'api', node: root };
  for (const inner of ['api', 'graph'] as const) {
    const found = wrappedIn(root, inner);
    if (found) return found;
  }
  return isObjectInfo(root) ? { kind: 'objectInfo', node: root } : undefined;
}

/** The workflow of one format that a request or result contains, or the only job of a history. */
export function wrappedIn(root: JsonObject, inner: WrapperFormat['inner']): WrapperFormat | undefined {
  const [job, ...others] = jobsIn(root);
  const outer = job !== undefined && others.length === 0 ? [[], [job]] : [[]];
  for (const path of outer.flatMap((start) => wrapperPaths.map((rest) => [...start, ...rest]))) {
    const node = follow(root, path);
    if (node && (inner === 'api' ? isApi(node) : isGraph(node)))
      return { kind: 'wrapper', path, inner, node };
  }
  return undefined;
}

function jobsIn(root: JsonObject): string[] {
  const isJob = (value: JsonNode | undefined): boolean =>
    value?.kind === 'object' && value.get('prompt')?.kind === 'array' && has(value, 'outputs');
  return root.properties.every(({ value }) => isJob(value)) ? root.properties.map(({ name }) => name) : [];
}

function follow(root: JsonObject, path: readonly string[]): JsonObject | undefined {
  let node: JsonNode | undefined = root;
  for (const key of path) {
    if (node?.kind === 'array') node = node.items[Number(key)];
    else node = node?.kind === 'object' ? node.get(key) : undefined;
  }
  return node?.kind === 'object' ? node : undefined;
}

/** The program whose file this is, if people mistake it for a workflow; empty if it is not known which. */
function otherProgramOf(root: JsonNode | undefined): string | undefined {
  const first = (list: JsonNode | undefined): JsonObject | undefined => {
    const item = list?.kind === 'array' ? list.items[0] : undefined;
    return item?.kind === 'object' ? item : undefined;
  };
  if (root?.kind !== 'object') return first(root)?.get('wires')?.kind === 'array' ? 'Node-RED' : undefined;
  if (has(root, 'sui_image_params')) return 'SwarmUI';
  if (has(root, 'negative_prompt') && has(root, 'cfg_scale')) return 'AUTOMATIC1111';
  const node = first(root.get('nodes'));
  const type = node?.get('type');
  const typeText = type?.kind === 'string' ? type.value : '';
  if (has(root, 'connections') && /^@?n8n[-/]/.test(typeText)) return 'n8n';
  if (!hasEdges(root)) return undefined;
  return typeText === 'invocation' || has(root, 'exposedFields') ? 'InvokeAI' : '';
}

/** Instead of links, as most programs with graphs have them. */
function hasEdges(node: JsonObject): boolean {
  return node.get('edges')?.kind === 'array' && !has(node, 'links');
}

function isGraph(node: JsonObject): boolean {
  const nodes = node.get('nodes');
  if (nodes?.kind !== 'array' || hasEdges(node)) return false;
  if (!nodes.items.every((each) => each.kind === 'object' && has(each, 'type'))) return false;
  return has(node, 'version') || (has(node, 'links') && (has(node, 'last_node_id') || has(node, 'state')));
}

/** At least 60 % of the values are nodes: files with notes or broken nodes among good ones are still workflows. */
function isApi(node: JsonObject): boolean {
  if (node.properties.length === 0) return false;
  const nodes = node.properties.filter(({ value }) => value?.kind === 'object' && isNode(value));
  return nodes.length >= node.properties.length * 0.6;
}

/** A `class_type` identifies a node; without one, which editors omit for unknown types, the rest does. */
function isNode(value: JsonObject): boolean {
  return has(value, 'class_type') || (has(value, '_meta') && value.get('inputs')?.kind === 'object');
}

function isObjectInfo(node: JsonObject): boolean {
  if (node.properties.length === 0) return false;
  return node.properties.every(({ value }) => {
    if (value?.kind !== 'object') return false;
    return (
      has(value, 'input') && has(value, 'output') && (has(value, 'category') || has(value, 'output_name'))
    );
  });
}

function has(object: JsonObject, name: string): boolean {
  return object.property(name) !== undefined;
}
