import { exactFrom, type ExactValue, isExactList } from '../json/exactValue';

/** What a class's own check says: fine, refused, or refused with a reason. */
export type ValidatorAnswer = boolean | string;

/**
 * A class's own check of its inputs. It switches the server's range and list checks off for the inputs that it names
 * (workflows 4.8); `object_info` does not tell which classes have one.
 */
export interface NodeValidator {
  readonly inputs: ReadonlySet<string>;
  /** It takes every input of the prompt: no range or list check is left. */
  readonly takesAll: boolean;
  /** It takes the types of the links: link types are not checked for it. */
  readonly takesTypes: boolean;
  /** It looks for the files that these inputs name: what is no text raises, a link too, since it has no value yet. */
  readonly opensFiles?: boolean;
  /** Those of its inputs that it can do without; without any other one it raises. */
  readonly optional?: ReadonlySet<string>;
  /**
   * The check itself, where it can be made here; linked inputs are null to it. Its refusal is reported for each input
   * that it was given. What it throws is what the server's own code would raise.
   */
  readonly check?: (inputs: ReadonlyMap<string, ExactValue>) => ValidatorAnswer;
}

/** Class type to its own check. */
export type NodeValidators = ReadonlyMap<string, NodeValidator>;

/**
 * Reads a table of `[class type, generation, input names, name of the catch-all argument or null, module]` rows; rows
 * of other shapes are left out.
 */
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
    table.set(classType, { inputs, takesAll: typeof catchAll === 'string', takesTypes });
  }
  return table;
}

/** Whether an input must be the name of a file, for the class's own check to get on at all. */
export function namesFile(validator: NodeValidator | undefined, input: string): boolean {
  return validator?.opensFiles === true && validator.inputs.has(input);
}

/** Whether the range and list checks are off for an input. */
export function isLeftToValidator(validator: NodeValidator | undefined, input: string): boolean {
  return validator !== undefined && (validator.takesAll || validator.inputs.has(input));
}
