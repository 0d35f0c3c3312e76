import type { Verdict } from '../core/check/verdict';
import { jsonText } from './http/jsonText';

/** The verdict as a server of 2025 finds it: a cycle fails the prompt, but no node is blamed for it. */
export function oldVerdict(verdict: Verdict): Verdict {
  const blamed = [...verdict.nodeErrors].filter(([, { errors }]) =>
    errors.some(({ type }) => type !== 'dependency_cycle'),
  );
  return { ...verdict, nodeErrors: new Map(blamed) };
}

/** The old words for a class that is not known or not named (protocol 7.2); undefined for any other verdict. */
export function oldMissingNodeBody({ error }: Verdict): string | undefined {
  if (error?.type !== 'missing_node_type') return undefined;
  const classType = error.extra_info.get('class_type');
  const message =
    typeof classType === 'string'
      ? `Cannot execute because node ${classType} does not exist.`
      : 'Cannot execute because a node is missing the class_type property.';
  const { details } = error;
  return jsonText({ error: { type: 'invalid_prompt', message, details, extra_info: {} }, node_errors: {} });
}
