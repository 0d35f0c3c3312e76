import { splitTypes } from '../catalog/readInputSpec';
import { exactEquals } from '../json/exactEquals';
import { type ExactValue, isExactList } from '../json/exactValue';

const any = '*';
const matchType = 'COMFY_MATCHTYPE_V3';

/**
 * Whether the server accepts an output of one type at an input of another (workflows 4.4). Types are names,
 * comma-separated lists of names, or the option list of an old combo. Case matters; a list fits `COMBO`, but not the
 * other way round.
 */
export function areCompatible(output: ExactValue, input: ExactValue): boolean {
  if (exactEquals(output, input)) return true;
  if ([output, input].some((type) => type === any || type === matchType)) return true;
  if (isExactList(output) && input === 'COMBO') return true;
  if (typeof output !== 'string' || typeof input !== 'string') return false;
  const outputs = splitTypes(output);
  const inputs = splitTypes(input);
  return outputs.includes(any) || inputs.includes(any) || outputs.some((type) => inputs.includes(type));
}
