import { type ExactValue, isExactList } from '../json/exactValue';
import { unwrapLiteral } from './convertLiteral';
import { checkConverted, convertInput } from './literalErrors';
import { PythonRaise } from './pythonRaise';
import { type InputSubject, valuePlace } from './rule';
import type { ValidationError } from './validationError';
import { isLeftToValidator } from './validators';

/** The server's error about a literal, and the value that it goes on with; also for nodes that it never comes to. */
export function literalVerdict({ node, declared, value, validator }: InputSubject): {
  readonly value?: ExactValue;
  readonly error?: ValidationError | undefined;
} {
  if (isExactList(value)) return {};
  const { range } = valuePlace(node, declared.name);
  const place = { nodeId: node.id, range };
  const converted = convertInput(declared, unwrapLiteral(value), place);
  if ('error' in converted || isLeftToValidator(validator, declared.name)) return converted;
  try {
    return { value: converted.value, error: checkConverted(declared, converted.value, place) };
  } catch (error) {
    if (!(error instanceof PythonRaise)) throw error;
    return converted;
  }
}
