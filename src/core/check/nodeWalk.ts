import type { Catalog } from '../catalog/catalog';
import { type ExpandedInput, expandInputs, type GroupFault } from '../catalog/dynamic';
import { type ExactValue, isExactList } from '../json/exactValue';
import { unwrapLiteral } from './convertLiteral';
import { checkConverted, convertInput } from './literalErrors';
import { validatorIn } from './knownValidators';
import { followLink, isServerLink, linkedDefinition } from './links';
import type { ServerGeneration } from './missingNodes';
import { PythonRaise } from './pythonRaise';
import { serverInputPlace, serverNodePlace, type ServerNode, type ServerPrompt } from './serverPrompt';
import { inputConfig, inputError, type ValidationError } from './literalErrors';
import { isLeftToValidator, type NodeValidator, type NodeValidators, failsOnName } from './validators';
import { WalkPath } from './walkPath';
import { pythonStr, pythonTypeName } from '../workflow/values';

/** The result for one node: whether it and all its ancestors are valid; errors are its own. */
export interface NodeVerdict {
  readonly valid: boolean;
  readonly errors: readonly ValidationError[];
}

/** The server's recursion limit is about here; link chains of this length are a separate error. */
const longestPath = 950;

/**
 * Validates a node and everything it depends on, each node once, as the server does (workflows 4.2). Inputs are visited
 * in display order; the server's order is random, so the order of errors means nothing.
 */
export class NodeWalk {
  private readonly results = new Map<string, NodeVerdict>();
  /** The nodes in the order their results became known, and how many of them were returned. */
  private readonly order: string[] = [];
  private readonly ordered = new Set<string>();
  private given = 0;
  private readonly path = new WalkPath();

  constructor(
    private readonly prompt: ServerPrompt,
    private readonly catalog: Catalog,
    private readonly options: {
      readonly validators?: NodeValidators | undefined;
      readonly generation?: ServerGeneration;
    },
  ) {}

  *news(): IterableIterator<readonly [id: string, result: NodeVerdict]> {
    for (; this.given < this.order.length; this.given++) {
      const id = this.order[this.given] ?? '';
      const result = this.results.get(id);
      if (result) yield [id, result];
    }
  }

  get settled(): ReadonlyMap<string, NodeVerdict> {
    return this.results;
  }

  settle(id: string, result: NodeVerdict): void {
    this.takePlace(id);
    this.results.set(id, result);
  }

  private takePlace(id: string): void {
    if (this.ordered.size !== this.ordered.add(id).size) this.order.push(id);
  }

  /** Raises what the server's check of this node itself would raise; raises of ancestors are settled inside. */
  visit(node: ServerNode): NodeVerdict {
    const known = this.results.get(node.id);
    if (known) return known;
    if (this.path.has(node)) {
      // An old server recurses until Python stops it, and loses the error on the way back.
      if (this.options.generation !== '0.3') for (const { id } of this.path.close(node)) this.takePlace(id);
      return { valid: false, errors: [] };
    }
    if (this.path.length >= longestPath) {
      throw new PythonRaise('RecursionError', 'maximum recursion depth exceeded', serverNodePlace(node));
    }
    this.path.enter(node);
    let checked: NodeVerdict = { valid: false, errors: [] };
    let loop: ValidationError | undefined;
    try {
      checked = this.checkNode(node);
    } finally {
      loop = this.path.leave();
    }
    const result = loop ? { valid: false, errors: [loop, ...checked.errors] } : checked;
    this.settle(node.id, result);
    return result;
  }

  private checkNode(node: ServerNode): NodeVerdict {
    const values = node.inputs;
    if (!values) throw new PythonRaise('KeyError', "'inputs'", serverNodePlace(node));
    const definition = linkedDefinition(this.catalog, node);
    const validator = validatorIn(this.options.validators, definition.classType);
    const { inputs, hasDynamic, groupFaults } = expandInputs(definition, values);
    if (groupFaults[0]) return { valid: false, errors: [groupError(node, groupFaults[0])] };

    const errors: ValidationError[] = [];
    let valid = true;
    let raised: PythonRaise | undefined;
    for (const input of inputs) {
      try {
        const value = values.get(input.name);
        const outcome =
          value === undefined
            ? missingInput(node, input, hasDynamic)
            : isExactList(value)
              ? this.checkLink(node, input, value, validator)
              : checkLiteral(node, values, input, value, validator);
        if (outcome === 'invalidAncestor') valid = false;
        else if (outcome) errors.push(outcome);
      } catch (error) {
        // One raise hides every other error of the node, whatever the order; the other ancestors are still looked at.
        if (!(error instanceof PythonRaise)) throw error;
        raised ??= error;
      }
    }
    if (raised) throw raised;
    for (const error of checkCustom(node, inputs, validator, definition.isV3)) errors.push(error);
    return { valid: valid && errors.length === 0, errors };
  }

  private checkLink(
    node: ServerNode,
    input: ExpandedInput,
    link: readonly ExactValue[],
    validator: NodeValidator | undefined,
  ): ValidationError | 'invalidAncestor' | undefined {
    const place = serverInputPlace(node, input.name);
    const followed = followLink(this.prompt, this.catalog, { input, link, validator, place });
    if ('error' in followed) return followed.error;
    const { origin } = followed;
    try {
      return this.visit(origin).valid ? undefined : 'invalidAncestor';
    } catch (error) {
      if (!(error instanceof PythonRaise)) throw error;
      this.settle(origin.id, { valid: false, errors: [innerException(origin, input, link, error)] });
      return 'invalidAncestor';
    }
  }
}

function missingInput(
  node: ServerNode,
  input: ExpandedInput,
  hasDynamic: boolean,
): ValidationError | undefined {
  if (input.section !== 'required') return undefined;
  const details = hasDynamic ? input.name.slice(input.name.lastIndexOf('.') + 1) : input.name;
  const message = 'Required input is missing';
  return inputError('required_input_missing', message, details, input.name, serverNodePlace(node));
}

function checkLiteral(
  node: ServerNode,
  values: Map<string, ExactValue>,
  input: ExpandedInput,
  written: ExactValue,
  validator: NodeValidator | undefined,
): ValidationError | undefined {
  const place = serverInputPlace(node, input.name);
  const unwrapped = unwrapLiteral(written);
  values.set(input.name, unwrapped);
  const converted = convertInput(input, unwrapped, place);
  if ('error' in converted) return converted.error;
  values.set(input.name, converted.value);
  if (isLeftToValidator(validator, input.name)) return undefined;
  return checkConverted(input, converted.value, place);
}

function groupError(node: ServerNode, fault: GroupFault): ValidationError {
  const place = fault.kind === 'rows' ? serverNodePlace(node) : serverInputPlace(node, fault.input);
  return inputError('invalid_dynamic_input', 'Invalid dynamic input', wordsOf(fault), fault.input, place);
}

function wordsOf({ kind, group, input, rows, min, max }: GroupFault): string {
  switch (kind) {
    case 'rows':
      return `DynamicGroup input '${group}' received ${rows} rows; expected between ${min} and ${max}.`;
    case 'row':
      return `DynamicGroup input '${input}' exceeds the index limit of ${max - 1} (max=${max}).`;
    case 'key':
      return `Invalid DynamicGroup input key '${input}'; expected '${group}.<index>.<template field>'.`;
  }
}

/** The server blames the link of the consumer; the place is that of the cause (workflows 4.3). */
function innerException(
  origin: ServerNode,
  consumer: ExpandedInput,
  link: readonly ExactValue[],
  raised: PythonRaise,
): ValidationError {
  const place = raised.place ?? serverNodePlace(origin);
  const message = 'Exception when validating inner node';
  return inputError('exception_during_inner_validation', message, raised.text, consumer.name, place, {
    input_config: inputConfig(consumer),
    exception_message: raised.text,
    exception_type: raised.exceptionType,
    traceback: [],
    linked_node: link,
  });
}

/**
 * Runs a node type's own validation, if it is known here, and reports a refusal once per input it received. A V3 node
 * type receives what is below the dynamic inputs it names, and may refuse without having received any (workflows 4.8).
 */
function checkCustom(
  node: ServerNode,
  inputs: readonly ExpandedInput[],
  validator: NodeValidator | undefined,
  isV3: boolean,
): ValidationError[] {
  if (!validator) return [];
  const roots = new Map(inputs.map((input) => [input.name, isV3 ? rootOf(input) : input.name]));
  const given = givenTo(validator, node, roots);
  const below = new Set(
    inputs.flatMap((input) => (isV3 && input.parent !== undefined ? [rootOf(input)] : [])),
  );
  raiseBefore(validator, new Set([...given.keys(), ...below]), given, node, isV3);
  if (!validator.check) return [];
  const answer = ask(validator.check, given, node);
  if (answer === true) return [];
  const type = 'custom_validation_failed';
  const message = 'Custom validation failed for node';
  if (isV3 && given.size === 0) {
    const details = answer === false ? '' : answer;
    return [{ type, message, details, extra_info: new Map(), place: serverNodePlace(node) }];
  }
  const reason = answer === false ? '' : ` - ${answer}`;
  return [...given.keys()].map((name) =>
    inputError(type, message, name + reason, name, serverInputPlace(node, name)),
  );
}

function rootOf({ name, parent }: ExpandedInput): string {
  return parent?.split('.')[0] ?? name;
}

/** What Python raises before the validation returns: for missing arguments, and for file names that aren't strings. */
function raiseBefore(
  validator: NodeValidator,
  received: ReadonlySet<string>,
  given: ReadonlyMap<string, ExactValue>,
  node: ServerNode,
  isV3: boolean,
): void {
  const { inputs, optional, definedIn } = validator;
  const missing = [...inputs].filter((name) => !received.has(name) && optional?.has(name) !== true);
  if (missing.length > 0) {
    const names = missing.map((name) => `'${name}'`);
    const listed =
      names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''}`;
    const check = `${definedIn ?? pythonStr(node.classType ?? null)}.${isV3 ? 'validate_inputs' : 'VALIDATE_INPUTS'}()`;
    const what = `missing ${missing.length} required positional argument${missing.length > 1 ? 's' : ''}: ${listed}`;
    throw new PythonRaise('TypeError', `${check} ${what}`, serverNodePlace(node));
  }
  for (const name of inputs) {
    const value = given.get(name) ?? null;
    if (!failsOnName(validator, name, value)) continue;
    const text = `'${pythonTypeName(value)}' object has no attribute 'endswith'`;
    throw new PythonRaise('AttributeError', text, serverInputPlace(node, name));
  }
}

function givenTo(
  { inputs, takesAll, takesTypes }: NodeValidator,
  node: ServerNode,
  roots: ReadonlyMap<string, string>,
): Map<string, ExactValue> {
  const given = new Map<string, ExactValue>();
  for (const [name, value] of node.inputs ?? []) {
    if (!takesAll && !inputs.has(roots.get(name) ?? name)) continue;
    if (isServerLink(value)) given.set(name, null);
    else if (roots.has(name)) given.set(name, value);
  }
  if (takesTypes) given.set('input_types', null);
  return given;
}

function ask(
  check: NonNullable<NodeValidator['check']>,
  given: ReadonlyMap<string, ExactValue>,
  node: ServerNode,
): boolean | string {
  try {
    return check(given);
  } catch (error) {
    if (error instanceof Error) throw new PythonRaise(error.name, error.message, serverNodePlace(node));
    throw error;
  }
}
