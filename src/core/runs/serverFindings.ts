import type { CheckCode } from '../check/codes';
import type { Finding } from '../check/finding';
import { boundFindings } from '../check/findings';
import { checkCodesByErrorType } from '../check/rules/serverWords';
import { embeddedValidation } from '../protocol/errorBody';
import { nodeErrorWords } from '../jobs/failureText';
import type { NodeError, NodeErrorMap } from '../protocol/nodeErrors';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { budgets } from '../safety/budgets';
import { endSentence, startOfSentence } from '../safety/endSentence';
import type { PromptPlaces } from '../workflow/promptPlaces';
import { t } from '../safety/localize';

/** Used for a text whose positions are no longer known. */
export const unknownPlaces: PromptPlaces = { of: () => undefined, start: { offset: 0, length: 1 } };

/**
 * What the server says about nodes of a prompt (protocol 7.2), at the input that it names, or else at the node. If one
 * of `known`, the check's findings, says the same, its message comes first and the server's is added. A node missing
 * from the text, such as an expanded one, is reported at the node it came from, or at the start. If the server accepted
 * the prompt anyway, they are warnings.
 */
export function serverFindings(
  nodeErrors: NodeErrorMap,
  places: PromptPlaces,
  known: readonly Finding[] = [],
  severity: 'error' | 'warning' = 'error',
): Finding[] {
  const loops = new Set<string>();
  const found: Finding[] = Object.entries(nodeErrors).flatMap(([nodeId, { classType, errors }]) =>
    errors.flatMap((error) => {
      // The server reports a cycle or a broken loop at each of its nodes, with the same message.
      if ((error.type === 'dependency_cycle' || isAboutLoop(error)) && error.details !== '') {
        if (loops.has(error.details)) return [];
        loops.add(error.details);
      }
      const code = isAboutLoop(error) ? 'loop' : codeOf(error.type);
      const input = inputNamed(error);
      const words = nodeErrorWords(error, nodeId, classType);
      const same = known.find((each) => isSame(each, code, nodeId, input));
      if (same) return [{ ...same, severity, message: `${same.message} ${t`The server says: “${words}”`}` }];
      const { offset, length } = places.of(nodeId, input) ?? places.start;
      return [{ code, severity, message: endSentence(words), nodeId, input, offset, length }];
    }),
  );
  return found.length > budgets.findings ? [...boundFindings(found, 0, {}).findings] : found;
}

/** Marks the node that raised, or those that the cloud's late validation names (protocol 1.5). */
export function failureFindings(failure: ExecutionFailure, places: PromptPlaces): Finding[] {
  const late = lateFindings(failure, places);
  if (late.length > 0) return late;
  const { nodeId, nodeType, exceptionType, message } = failure;
  if (nodeId === undefined) return [];
  const name = nodeType === undefined ? startOfSentence(t`node ${nodeId}`) : t`${nodeType} (node ${nodeId})`;
  const { offset, length } = places.of(nodeId) ?? places.start;
  const words = message === '' ? exceptionType : message;
  return [
    { code: 'execution-error', severity: 'error', message: `${name}: ${words}`, nodeId, offset, length },
  ];
}

export function lateFindings(
  failure: ExecutionFailure,
  places: PromptPlaces = unknownPlaces,
  known: readonly Finding[] = [],
): Finding[] {
  const late = embeddedValidation(failure.message)?.nodeErrors;
  return late ? serverFindings(late, places, known) : [];
}

function codeOf(type: string): CheckCode {
  const codes: Readonly<Record<string, CheckCode>> = checkCodesByErrorType;
  return Object.hasOwn(codes, type) ? (codes[type] ?? 'server-rejection') : 'server-rejection';
}

/** The input that such an error names doesn't exist: `loop boundary` (workflows 4.7). */
function isAboutLoop({ extraInfo }: NodeError): boolean {
  return extraInfo['loop_error_type'] !== undefined;
}

function isSame(known: Finding, code: CheckCode, nodeId: string, input: string | undefined): boolean {
  if (known.severity !== 'error' && known.severity !== 'warning') return false;
  if (code === 'cycle' || code === 'loop')
    return known.code === code && known.nodeIds?.includes(nodeId) === true;
  if (known.nodeId !== nodeId) return false;
  // An exception names no input of its own: it is caused by what the check found at the node.
  if (code === 'server-exception') return true;
  return input === undefined ? known.code === code : known.input === input;
}

/** In the inner form, it is the consumer's input, not the broken one (protocol 7.2), so that name isn't used. */
function inputNamed(error: NodeError): string | undefined {
  const name = error.extraInfo['input_name'];
  const isOther = error.type.startsWith('exception_during_') || isAboutLoop(error);
  return typeof name === 'string' && !isOther ? name : undefined;
}
