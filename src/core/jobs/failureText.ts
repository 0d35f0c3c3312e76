import { listText, t } from '../safety/localize';
import { plainText } from '../safety/plainText';
import { shown, type Shown } from '../safety/shownText';
import { nodeGivenName, type Job } from './job';
import { jobLabel } from './jobWords';
import { endSentence, startOfSentence } from '../safety/endSentence';
import { embeddedValidation } from '../protocol/errorBody';
import { explainFailure } from './failureExplanation';
import type { ExecutionFailure } from '../protocol/serverEvent';
import type { NodeError } from '../protocol/nodeErrors';

const longestWords = 400;

/** Uses our words and the server's, since ours may not fit. `node`: the text before already names it. */
export function tellFailure(
  failure: ExecutionFailure,
  node?: string,
): { readonly message: string; readonly nextAction: string } {
  const { title, nextAction, ownWords, titleWith } = explainFailure(failure);
  const source = failureSource(failure, node);
  const origin = source === '' ? '' : t` (${source})`;
  const words = withoutStop(plainText(spokenWords(failure.message), 'one line', longestWords));
  if (ownWords !== undefined) {
    // Our sentence is only the server's first line.
    const said = ownWords === failure.message.split('\n')[0]?.trim() ? words : withoutStop(ownWords);
    const sentence = `${said}${origin}`;
    return {
      message: endSentence(node === undefined ? (titleWith?.(sentence) ?? sentence) : sentence),
      nextAction,
    };
  }
  if (words === '') return { message: endSentence(`${withoutStop(title)}${origin}`), nextAction };
  const said = endSentence(t`The server says: “${words}”` + origin);
  return { message: `${endSentence(title)} ${said}`, nextAction };
}

/** No notification is longer than this; the report has the rest. */
const longestLine = 160;

/** A failed run in a notification: what to do only if there is room, a long message cut. */
export function failureLine(job: Job, failure: ExecutionFailure): Shown {
  const { nodeId } = failure;
  const name = nodeId === undefined ? undefined : (nodeGivenName(job.origin, nodeId) ?? t`node ${nodeId}`);
  const label = plainText(jobLabel(job), 'one line', 40);
  const node = name === undefined ? '' : plainText(name, 'one line', 40);
  const { message, nextAction } = tellFailure(failure, name);
  const line = (words: string): Shown =>
    node === '' ? shown`${label} failed: ${words}` : shown`${label} failed at ${node}: ${words}`;
  const whole = line(`${message} ${nextAction}`);
  if (whole.line().length <= longestLine) return whole;
  const room = longestLine - line('').line().length;
  return line(plainText(message, 'one line', room));
}

export function blockedWords({ message }: Pick<ExecutionFailure, 'message'>, node: string): string {
  const why = plainText(message.replace(/^Execution Blocked:\s*/, ''), 'one line', longestWords);
  return why === '' ? t`${node} was blocked.` : endSentence(t`${node} was blocked: ${why}`);
}

/** The server's error type and where it happened: `ValueError at LoadImage, node 3`. */
export function failureSource(
  { nodeId, nodeType, exceptionType }: ExecutionFailure,
  reason?: string,
): string {
  const place = listText([
    nodeType === reason ? undefined : nodeType,
    nodeId === undefined ? undefined : t`node ${nodeId}`,
  ]);
  // A record that names no type.
  const type = exceptionType === 'Error' ? '' : exceptionType;
  return plainText(type !== '' && place !== '' ? t`${type} at ${place}` : `${type}${place}`);
}

/** The text of a message without the JSON of a late refusal (protocol 1.5). */
function spokenWords(message: string): string {
  if (!embeddedValidation(message)) return message.trim();
  return message.slice(0, message.indexOf('{')).trim().replace(/:$/, '');
}

function withoutStop(text: string): string {
  return text.trim().replace(/(?<!\.)\.$|。$/, '');
}

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

export function nodeErrorWords(
  { message, details }: NodeError,
  nodeId: string,
  classType: string | undefined,
): string {
  const where =
    classType === undefined ? startOfSentence(t`node ${nodeId}`) : t`${classType} (node ${nodeId})`;
  const what = [message, details].map((part) => part.trim()).filter((part) => part !== '');
  return `${where}: ${what.join(': ') || t`rejected by the server`}`;
}
