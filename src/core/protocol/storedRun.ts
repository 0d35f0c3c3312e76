import { submittedId } from './outputRecord';
import type { ServerEvent } from './serverEvent';
import { readMessage } from './socketMessage';
import { isRecord } from './wire';

export type NodeOutputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The messages of a status record `{status_str, completed, messages: [[type, data], ...]}` as events (protocol 4.2). */
export function readStoredEvents(
  status: Readonly<Record<string, unknown>> | null | undefined,
): ServerEvent[] {
  const messages: unknown = status?.['messages'];
  if (!Array.isArray(messages)) return [];
  return (messages as readonly unknown[]).flatMap((message) => {
    if (!Array.isArray(message) || typeof message[0] !== 'string') return [];
    return readMessage(message[0], message[1]) ?? [];
  });
}

type Entry = [string, Readonly<Record<string, unknown>>];

export function readOutputs(outputs: Readonly<Record<string, unknown>>): NodeOutputs {
  // Not by assignment: a node's id may be `__proto__`.
  return Object.fromEntries(Object.entries(outputs).filter((entry): entry is Entry => isRecord(entry[1])));
}

/** Only nodes that are not in the prompt are mapped: the record of a cached node may contain its ID from an earlier prompt. */
export function readDisplayNodes(
  outputs: NodeOutputs | undefined,
  meta: Readonly<Record<string, unknown>> | undefined,
  prompt: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, string>> {
  const display: Record<string, string> = {};
  const isInPrompt = (id: string): boolean => prompt !== undefined && Object.hasOwn(prompt, id);
  for (const nodeId of new Set([...Object.keys(outputs ?? {}), ...Object.keys(meta ?? {})])) {
    if (prompt ? isInPrompt(nodeId) : !nodeId.includes('.')) continue;
    const entry = meta?.[nodeId];
    const told = isRecord(entry) ? (entry['display_node'] ?? entry['display_node_id']) : undefined;
    if (typeof told === 'string') display[nodeId] = told;
    else if (prompt) display[nodeId] = submittedId(nodeId, isInPrompt);
  }
  return display;
}
