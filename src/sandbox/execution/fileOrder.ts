import { parseExact } from '../../core/json/exactReader';
import { isExactObject } from '../../core/json/exactValue';
import type { PromptNode } from '../nodes/sandboxNode';
import type { RunRequest } from './runRequest';

/** JavaScript objects list integer keys first; the text has the order that the real server uses. */
export function inFileOrder({ prompt, promptText }: RunRequest): ReadonlyMap<string, PromptNode> {
  const inText = textOrder(promptText).filter((id) => Object.hasOwn(prompt, id));
  const ids = new Set([...inText, ...Object.keys(prompt)]);
  return new Map([...ids].flatMap((id) => (prompt[id] === undefined ? [] : [[id, prompt[id]]])));
}

function textOrder(promptText: string): readonly string[] {
  try {
    const exact = parseExact(promptText);
    return isExactObject(exact) ? [...exact.keys()] : [];
  } catch {
    return [];
  }
}
