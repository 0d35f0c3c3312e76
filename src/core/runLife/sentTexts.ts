import { anotherJob } from '../client/jobReading';
import type { Transport } from '../client/transport';
import type { JsonNode } from '../json/node';
import { sourceTextIn } from '../json/textEdit';
import { parseJson } from '../json/tree';

/** The member with a submission's own key; servers return what is in `extra_data` (protocol 2.1). */
export const runKeyName = 'comfy_deck_run';

export interface ServerTexts {
  readonly promptText: string;
  readonly workflowText?: string | undefined;
  /** The key that Comfy Deck sent; missing when someone else submitted the job or the server drops it. */
  readonly runKey?: string | undefined;
}

/** Cut from the server's answer with every digit (protocol 2.1); undefined while it returns no prompt. */
export async function sentTextsOfJob(
  transport: Pick<Transport, 'text'>,
  id: string,
  signal?: AbortSignal,
): Promise<ServerTexts | undefined> {
  const path = `/api/jobs/${encodeURIComponent(id)}`;
  const text = await transport.text({ path, signal });
  const { root } = parseJson(text);
  const serverId = within(root, ['id']);
  if (serverId?.kind === 'string' && serverId.value !== id) throw anotherJob(`GET ${path}`);
  const prompt = within(root, ['workflow', 'prompt']);
  const graph = within(root, ['workflow', 'extra_data', 'extra_pnginfo', 'workflow']);
  const runKey = within(root, ['workflow', 'extra_data', runKeyName]);
  if (prompt?.kind !== 'object') return undefined;
  return {
    promptText: sourceTextIn(text, prompt),
    runKey: runKey?.kind === 'string' ? runKey.value : undefined,
    workflowText: graph?.kind === 'object' ? sourceTextIn(text, graph) : undefined,
  };
}

function within(root: JsonNode | undefined, names: readonly string[]): JsonNode | undefined {
  return names.reduce<JsonNode | undefined>(
    (node, name) => (node?.kind === 'object' ? node.get(name) : undefined),
    root,
  );
}
