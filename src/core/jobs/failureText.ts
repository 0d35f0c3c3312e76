import { listText, t } from '../safety/localize';
import { plainText } from '../safety/plainText';
import { endSentence } from '../safety/endSentence';
import { embeddedValidation } from '../protocol/errorBody';
import { explainFailure } from './failureExplanation';
import type { ExecutionFailure } from '../protocol/serverEvent';

export interface FailureText {
  /** What happened, the server's message, its error type, and the node. */
  readonly message: string;
  /** What to do. */
  readonly nextAction: string;
}

const longestWords = 400;

/**
 * A failure in our words and in the server's, since ours may not fit. `node`: the text before the message already names
 * it. One line without control characters.
 */
export function tellFailure(failure: ExecutionFailure, node?: string): FailureText {
  const { title, nextAction, ownWords, titleWith } = explainFailure(failure);
  const source = failureSource(failure, node);
  const origin = source === '' ? '' : ` (${source})`;
  const words = withoutStop(plainText(spokenWords(failure.message), 'one line', longestWords));
  if (ownWords !== undefined) {
    // Our sentence is only the server's first line.
    const said = ownWords === failure.message.split('\n')[0]?.trim() ? words : withoutStop(ownWords);
    const told = `${said}${origin}`;
    return { message: endSentence(node === undefined ? (titleWith?.(told) ?? told) : told), nextAction };
  }
  if (words === '') return { message: endSentence(`${withoutStop(title)}${origin}`), nextAction };
  const said = endSentence(t`The server says: “${words}”` + origin);
  return { message: `${endSentence(title)} ${said}`, nextAction };
}

/** The server's error type and where it happened: `ValueError at LoadImage, node 3`. */
export function failureSource({ nodeId, nodeType, exceptionType }: ExecutionFailure, told?: string): string {
  const place = listText([
    nodeType === told ? undefined : nodeType,
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
