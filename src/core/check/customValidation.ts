import type { ExpandedInput } from '../catalog/dynamic';
import { type ExactValue, isExactList } from '../json/exactValue';
import { PythonRaise } from './pythonRaise';
import { inputPlace, nodePlace, type ServerNode } from './serverPrompt';
import { inputError, type ValidationError } from './validationError';
import type { NodeValidator } from './validators';

/** Asks the class's own check, where it can be made here, and words a refusal once for each input it was given. */
export function checkCustom(
  node: ServerNode,
  inputs: readonly ExpandedInput[],
  validator: NodeValidator | undefined,
): ValidationError[] {
  if (!validator?.check) return [];
  const given = givenTo(validator, node, new Set(inputs.map(({ name }) => name)));
  const answer = ask(validator.check, given, node);
  if (answer === true) return [];
  const reason = answer === false ? '' : ` - ${answer}`;
  return [...given.keys()].map((name) => {
    const place = inputPlace(node, name);
    return inputError(
      'custom_validation_failed',
      'Custom validation failed for node',
      name + reason,
      name,
      place,
    );
  });
}

function givenTo(
  { inputs, takesAll, takesTypes }: NodeValidator,
  node: ServerNode,
  declared: ReadonlySet<string>,
): Map<string, ExactValue> {
  const given = new Map<string, ExactValue>();
  for (const [name, value] of node.inputs ?? []) {
    if (!takesAll && !inputs.has(name)) continue;
    if (isLink(value)) given.set(name, null);
    else if (declared.has(name)) given.set(name, value);
  }
  if (takesTypes) given.set('input_types', null);
  return given;
}

/** What the server takes for a link when it collects values: a pair of a text and a number. */
function isLink(value: ExactValue): boolean {
  if (!isExactList(value) || value.length !== 2) return false;
  const [id, slot] = value;
  return typeof id === 'string' && (typeof slot === 'bigint' || typeof slot === 'number');
}

function ask(
  check: NonNullable<NodeValidator['check']>,
  given: ReadonlyMap<string, ExactValue>,
  node: ServerNode,
): boolean | string {
  try {
    return check(given);
  } catch (error) {
    if (error instanceof Error) throw new PythonRaise(error.name, error.message, nodePlace(node));
    throw error;
  }
}
