import { exactFrom, type ExactObject, type ExactValue, isExactList, isExactObject } from '../json/exactValue';

const floatOptions = new Set(['default', 'min', 'max', 'step', 'round']);

/**
 * A definition written in code as the server would hold it: JavaScript has one kind of number, so the options of FLOAT
 * inputs, at any depth, are made floats here. Undefined when it is not an object.
 */
export function authoredDefinition(definition: unknown): ExactObject | undefined {
  const exact = withFloats(exactFrom(definition));
  return isExactObject(exact) ? exact : undefined;
}

function withFloats(value: ExactValue): ExactValue {
  if (isExactObject(value)) return new Map([...value].map(([name, member]) => [name, withFloats(member)]));
  if (!isExactList(value)) return value;
  const [type, options] = value;
  if (type !== 'FLOAT' || !isExactObject(options)) return value.map(withFloats);
  const exact = [...options].map(([name, member]): [string, ExactValue] => {
    return [name, floatOptions.has(name) && typeof member === 'bigint' ? Number(member) : member];
  });
  return [type, new Map(exact), ...value.slice(2)];
}
