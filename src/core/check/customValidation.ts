import type { ExpandedInput } from '../catalog/dynamic';
import type { ExactValue } from '../json/exactValue';
import { pythonStr, pythonTypeName } from '../workflow/values';
import { isServerLink } from './links';
import { PythonRaise } from './pythonRaise';
import { serverInputPlace, serverNodePlace, type ServerNode } from './serverPrompt';
import { inputError, type ValidationError } from './validationError';
import { failsOnName, type NodeValidator } from './validators';

/**
 * Runs a node type's own validation, if it is known here, and words a refusal once per input it received. A V3 node type
 * receives what is below the dynamic inputs it names, and may refuse without having received any (workflows 4.8).
 */
export function checkCustom(
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

/** What Python raises before the validation returns: for missing arguments, and for file names that are not strings. */
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
