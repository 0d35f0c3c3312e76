import type { CheckCode } from '../codes';
import type { RuleFinding } from '../rule';
import type { NodeErrorType, ValidationError } from '../literalErrors';
import type { Verdict } from '../verdict';
import { t } from '../../safety/localize';

export const checkCodesByErrorType: Readonly<Record<NodeErrorType, CheckCode>> = {
  required_input_missing: 'missing-input',
  bad_linked_input: 'link-shape',
  return_type_mismatch: 'link-type',
  invalid_input_type: 'value-type',
  value_smaller_than_min: 'below-minimum',
  value_bigger_than_max: 'above-maximum',
  value_not_in_list: 'option-unknown',
  custom_validation_failed: 'class-check',
  invalid_dynamic_input: 'group-size',
  dependency_cycle: 'cycle',
  exception_during_inner_validation: 'server-exception',
  exception_during_validation: 'server-exception',
};

/** Reports in the server's words what no rule has reported. `said` are the findings of all rules. */
export function serverWords(verdict: Verdict, said: readonly RuleFinding[], server: string): RuleFinding[] {
  const places = new Set<string>();
  const inLoops = new Set<string>();
  for (const { code, nodeId, nodeIds = [], input, counts } of said) {
    if (code === 'cycle') for (const id of nodeIds) inLoops.add(id);
    if (nodeId === undefined) continue;
    if (input !== undefined) places.add(key(nodeId, input));
    if (counts !== undefined) places.add(nodeId);
  }
  const ruleFindings: RuleFinding[] = [];
  for (const [nodeId, { errors }] of verdict.nodeErrors) {
    for (const error of errors) {
      const input = inputOf(error);
      // The server reports a cycle at each of its nodes.
      if (error.type === 'dependency_cycle' && inLoops.has(nodeId)) continue;
      // As it does the fault of a loop, which has its own rule.
      if (isLoopError(error)) continue;
      if (places.has(input === undefined ? nodeId : key(nodeId, input)) || !error.place) continue;
      const words = error.details === '' ? error.message : `${error.message}: ${error.details}`;
      ruleFindings.push({
        code: checkCodesByErrorType[error.type],
        nodeId,
        input,
        range: error.place.range,
        message: t`${server} rejects this: ${words}.`,
        counts: 'checked',
      });
    }
  }
  const { crash } = verdict;
  if (crash && !said.some(({ nodeId, counts }) => counts === 'always' && nodeId === crash.place?.nodeId)) {
    const { place, exceptionType, message } = crash;
    ruleFindings.push({
      code: 'server-crash',
      nodeId: place?.nodeId,
      range: place?.range ?? { offset: 0, length: 1 },
      message: t`This file causes an error on ${server} before it's validated (${exceptionType}: ${message}).`,
      counts: 'always',
    });
  }
  return ruleFindings;
}

/** Whether a server's error is about a loop, and not about one of the node's inputs (workflows 4.7). */
export function isLoopError({ extra_info }: Pick<ValidationError, 'extra_info'>): boolean {
  return extra_info.has('loop_error_type');
}

/** The input that an error is about. Exceptions name another node's input, so for those only the node counts. */
function inputOf({ type, extra_info, place }: ValidationError): string | undefined {
  if (type === 'exception_during_inner_validation' || type === 'exception_during_validation')
    return undefined;
  const name = extra_info.get('input_name');
  return typeof name === 'string' ? name : place?.input?.name;
}

function key(nodeId: string, input: string): string {
  return JSON.stringify([nodeId, input]);
}
