import { mapDefined } from '../safety/lists';
import type { Catalog } from '../catalog/catalog';
import type { ExactValue } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import type { Prompt } from '../workflow/prompt';
import type { ErrorPlace } from './errorPlace';
import { type LoopFault, loopFault } from './loopBoundaries';
import { findClass, type ServerGeneration } from './missingNodes';
import { type NodeVerdict, NodeWalk } from './nodeWalk';
import { PythonRaise } from './pythonRaise';
import type { NodeReplacements } from '../catalog/nodeReplacements';
import { applyReplacements } from './applyReplacements';
import { serverNodePlace, type ServerNode, type ServerPrompt, readAsServerPrompt } from './serverPrompt';
import { isLenient } from './serverVersion';
import { inputError, type PromptErrorType, type ValidationError } from './literalErrors';
import type { NodeValidators } from './validators';

export interface VerdictOptions {
  /** Node types with their own validation; by default those that are known. */
  readonly validators?: NodeValidators | undefined;
  readonly replacements?: NodeReplacements | undefined;
  /** Nodes without `_meta` get one before they are sent. */
  readonly addsTitles?: boolean;
  /** See {@link isLenient}, which decides if this is missing; where it can't, the server is taken for an older one. */
  readonly isLenient?: boolean | undefined;
  /** The only output nodes to run (`partial_execution_targets`). */
  readonly partialTargets?: readonly string[] | undefined;
  /** 0.3 servers report unknown node types differently and have no error for cycles; the default is current. */
  readonly generation?: ServerGeneration;
}

/** The errors of one node, as `node_errors` has them. */
export interface PredictedErrors {
  readonly errors: readonly ValidationError[];
  /** The output nodes that had failed when the errors were found; more than those that really depend on the node. */
  readonly dependentOutputs: readonly string[];
  readonly classType: ExactValue;
}

/** The answer of a server to POST /api/prompt, predicted from the definitions (workflows 4, protocol 7.2). */
export interface Verdict {
  /** Accepted. Outputs in `nodeErrors` are still dropped: only `goodOutputs` run. */
  readonly valid: boolean;
  readonly error: ValidationError<PromptErrorType> | null;
  readonly goodOutputs: readonly string[];
  readonly nodeErrors: ReadonlyMap<string, PredictedErrors>;
  /** The fault of its loops: the error is at each of the fault's nodes. */
  readonly loopFault?: LoopFault | undefined;
  /** The server's own code fails on this prompt: it answers 500 without JSON. */
  readonly crash?: ServerCrash;
  /** The prompt after replacements and conversions; empty after a crash. */
  readonly prompt: ServerPrompt;
}

export interface ServerCrash {
  readonly exceptionType: string;
  readonly message: string;
  readonly place?: ErrorPlace | undefined;
}

/** Predicts the server's verdict on a prompt. Never throws, whatever the prompt contains. */
export function predictVerdict(prompt: Prompt, catalog: Catalog, options: VerdictOptions = {}): Verdict {
  try {
    const lenient = options.isLenient ?? isLenient(catalog) ?? false;
    const served = readAsServerPrompt(prompt, lenient, options.addsTitles);
    if (options.replacements)
      applyReplacements(served, catalog, options.replacements, lenient ? 'lenient' : 'strict');
    return judge(served, catalog, options);
  } catch (error) {
    if (!(error instanceof PythonRaise)) throw error;
    const { exceptionType, text, place } = error;
    const crash = { exceptionType, message: text, place };
    return { ...refusal(null, new Map()), crash };
  }
}

export function verdictBody(verdict: Verdict): string {
  return writeExact(
    new Map<string, ExactValue>([
      ['error', verdict.error && errorValue(verdict.error)],
      ['node_errors', nodeErrorsValue(verdict)],
    ]),
  );
}

function judge(prompt: ServerPrompt, catalog: Catalog, options: VerdictOptions): Verdict {
  const targets = options.partialTargets && new Set(options.partialTargets);
  const outputs: ServerNode[] = [];
  for (const node of prompt.values()) {
    const found = findClass(node, catalog, options.generation);
    if ('error' in found) return refusal(found.error, prompt);
    if (found.definition.isOutputNode && (targets?.has(node.id) ?? true)) outputs.push(node);
  }
  if (outputs.length === 0) {
    return refusal(promptError('prompt_no_outputs', 'Prompt has no outputs', ''), prompt);
  }
  return judgeOutputs(outputs, prompt, catalog, new NodeWalk(prompt, catalog, options));
}

function judgeOutputs(
  outputs: readonly ServerNode[],
  prompt: ServerPrompt,
  catalog: Catalog,
  walk: NodeWalk,
): Verdict {
  const goodOutputs: string[] = [];
  const faulty: string[] = [];
  const nodeErrors = new Map<string, PredictedErrors>();
  const failed: string[] = [];
  for (const output of outputs) {
    const result = visitOutput(output, walk);
    if (result.valid) {
      goodOutputs.push(output.id);
      continue;
    }
    if (result.errors.length > 0) faulty.push(output.id);
    const first = failed.push(output.id) - 1;
    for (const [id, { valid, errors }] of walk.news()) {
      if (valid || errors.length === 0) continue;
      nodeErrors.set(id, {
        errors,
        // All outputs that failed since. With many outputs and many faults, stored lists would fill the memory.
        get dependentOutputs() {
          return failed.slice(first);
        },
        classType: prompt.get(id)?.classType ?? null,
      });
    }
  }
  const ids = outputs.map(({ id }) => id);
  const known = [...walk.settled.values()].flatMap(({ errors }) => errors);
  const hasCycle = known.some(({ type }) => type === 'dependency_cycle');
  const fault = hasCycle ? undefined : loopFault(prompt, catalog, ids, walk.settled.keys());
  if (fault) addFault(fault, nodeErrors, prompt);
  const judged = { nodeErrors, loopFault: fault, prompt };
  const good = goodOutputs.filter((id) => fault?.outputIds.includes(id) !== true);
  if (good.length > 0) return { ...judged, valid: true, error: null, goodOutputs: good };
  // The fault of a loop is listed again with the errors of an output that it stands at.
  const details = [...faulty.flatMap((id) => nodeErrors.get(id)?.errors ?? []), ...(fault ? [fault] : [])]
    .map((each) => `${each.message}: ${each.details}`)
    .join('\n');
  const error = promptError('prompt_outputs_failed_validation', 'Prompt outputs failed validation', details);
  return { ...judged, valid: false, error, goodOutputs: [] };
}

/** Adds the error of a loop at each of its nodes. Raises if it costs no output. */
function addFault(fault: LoopFault, nodeErrors: Map<string, PredictedErrors>, prompt: ServerPrompt): void {
  const { type, message, details, nodeIds, outputIds } = fault;
  if (outputIds.length === 0) throw new PythonRaise('IndexError', 'list index out of range');
  const extra = { loop_error_type: type, node_ids: nodeIds, output_ids: outputIds };
  for (const node of mapDefined(nodeIds, (id) => prompt.get(id))) {
    const place = serverNodePlace(node);
    const known = nodeErrors.get(node.id);
    const added = inputError('custom_validation_failed', message, details, 'loop boundary', place, extra);
    nodeErrors.set(node.id, {
      errors: [...(known?.errors ?? []), added],
      get dependentOutputs() {
        return [...new Set([...(known?.dependentOutputs ?? []), ...outputIds])].sort();
      },
      classType: node.classType ?? null,
    });
  }
}

function visitOutput(output: ServerNode, walk: NodeWalk): NodeVerdict {
  try {
    return walk.visit(output);
  } catch (error) {
    if (!(error instanceof PythonRaise)) throw error;
    const extra: [string, ExactValue][] = [
      ['exception_type', error.exceptionType],
      ['traceback', []],
    ];
    const reason: ValidationError = {
      type: 'exception_during_validation',
      message: 'Exception when validating node',
      details: error.text,
      extra_info: new Map(extra),
      place: error.place ?? serverNodePlace(output),
    };
    const result = { valid: false, errors: [reason] };
    walk.settle(output.id, result);
    return result;
  }
}

function promptError(
  type: PromptErrorType,
  message: string,
  details: string,
): ValidationError<PromptErrorType> {
  return { type, message, details, extra_info: new Map() };
}

function refusal(error: ValidationError<PromptErrorType> | null, prompt: ServerPrompt): Verdict {
  return { valid: false, error, goodOutputs: [], nodeErrors: new Map(), prompt };
}

function errorValue({ type, message, details, extra_info }: ValidationError<string>): ExactValue {
  return new Map<string, ExactValue>([
    ['type', type],
    ['message', message],
    ['details', details],
    ['extra_info', extra_info],
  ]);
}

function nodeErrorsValue(verdict: Verdict): ExactValue {
  const entries = [...verdict.nodeErrors].map(
    ([id, { errors, dependentOutputs, classType }]): [string, ExactValue] => {
      const members: [string, ExactValue][] = [
        ['errors', errors.map(errorValue)],
        ['dependent_outputs', dependentOutputs],
        ['class_type', classType],
      ];
      return [id, new Map(members)];
    },
  );
  return new Map(entries);
}
