import { exactFrom, type ExactValue, isExactList } from '../json/exactValue';
import { convertLiteral } from './convertLiteral';

/** The result of a node type's own validation: valid, rejected, or rejected with a reason. */
export type ValidatorAnswer = boolean | string;

/** A node type's own validation turns off the range and list checks of its inputs (workflows 4.8). */
export interface NodeValidator {
  readonly inputs: ReadonlySet<string>;
  readonly takesAll: boolean;
  /** It receives the types of the links, so link types are not checked. */
  readonly takesTypes: boolean;
  /** The validation looks up the files that these inputs name. Anything but a string raises, and so does a link. */
  readonly opensFiles?: boolean;
  /** No file is chosen by null, zero or an empty list either: only what Python counts as true is looked up. */
  readonly skipsEmpty?: boolean;
  /** The Python class that has it, if that is not named like the node type: exceptions name it. */
  readonly definedIn?: string;
  /** Its optional inputs; it raises if any other one is missing. */
  readonly optional?: ReadonlySet<string>;
  /** Linked inputs are null to it. A refusal is reported for each input that it received. */
  readonly check?: (inputs: ReadonlyMap<string, ExactValue>) => ValidatorAnswer;
}

export type NodeValidators = ReadonlyMap<string, NodeValidator>;

/** Reads rows of `[class type, generation, input names, catch-all argument or null, module]`. */
export function readValidators(data: unknown): NodeValidators {
  const table = new Map<string, NodeValidator>();
  const rows = exactFrom(data);
  if (!isExactList(rows)) return table;
  for (const row of rows) {
    if (!isExactList(row)) continue;
    const [classType, , names, catchAll] = row;
    if (typeof classType !== 'string' || !isExactList(names)) continue;
    const inputs = new Set(names.filter((name) => typeof name === 'string'));
    const takesTypes = inputs.delete('input_types');
    const takesAll = typeof catchAll === 'string';
    table.set(classType, { inputs, takesAll, takesTypes });
  }
  return table;
}

/** Whether the class's own check raises because it looks up a file by this value, null for a link, which is no string. */
export function failsOnName(validator: NodeValidator | undefined, input: string, value: ExactValue): boolean {
  if (validator?.opensFiles !== true || !validator.inputs.has(input) || typeof value === 'string')
    return false;
  return validator.skipsEmpty !== true || convertLiteral('BOOLEAN', value) === true;
}

export function isLeftToValidator(validator: NodeValidator | undefined, input: string): boolean {
  return validator !== undefined && (validator.takesAll || validator.inputs.has(input));
}
