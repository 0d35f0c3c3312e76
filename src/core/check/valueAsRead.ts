import { convertLiteral, unwrapLiteral } from './convertLiteral';
import { PythonRaise } from './pythonRaise';
import type { InputSubject } from './rule';
import { type ExactValue, isExactList } from '../json/exactValue';

/** A literal as the server continues with it; undefined for links and for values that it can't convert. */
export function convertedValue({ declared, value }: InputSubject): ExactValue | undefined {
  if (isExactList(value)) return undefined;
  try {
    return convertLiteral(declared.spec.rawType, unwrapLiteral(value));
  } catch (error) {
    if (error instanceof PythonRaise) return undefined;
    throw error;
  }
}
