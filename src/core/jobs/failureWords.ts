import { embeddedValidation } from '../protocol/errorBody';
import type { NodeError } from '../protocol/nodeErrors';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { t } from '../safety/localize';

/**
 * The server's message about a failure, one complaint per line. The cloud validates some prompts only after accepting
 * them, and puts the entire JSON answer into the message (protocol 1.5): of that, only the complaints.
 */
export function failureWords({ message }: Pick<ExecutionFailure, 'message'>): string {
  const late = embeddedValidation(message);
  const complaints = Object.entries(late?.nodeErrors ?? {}).flatMap(([nodeId, { classType, errors }]) =>
    errors.map((error) => nodeErrorWords(error, nodeId, classType)),
  );
  if (complaints.length > 0) return complaints.join('\n');
  // Otherwise JSON is part of the node's message.
  const isAnswer = message.trimStart().startsWith('{');
  return (isAnswer ? late?.error?.message : undefined) ?? message;
}

/** One complaint about a node of a prompt as a sentence without its end. */
export function nodeErrorWords(
  { message, details }: NodeError,
  nodeId: string,
  classType: string | undefined,
): string {
  const where = classType === undefined ? t`Node ${nodeId}` : t`${classType} (node ${nodeId})`;
  const what = [message, details].map((part) => part.trim()).filter((part) => part !== '');
  return `${where}: ${what.join(': ') || t`rejected by the server`}`;
}
