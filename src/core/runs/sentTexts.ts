import type { Transport } from '../client/transport';
import type { JsonNode } from '../json/node';
import { textOf } from '../json/textEdit';
import { parseJson } from '../json/tree';

/** What a job was made of, as JSON texts. */
export interface SentTexts {
  readonly promptText: string;
  /** The graph that the prompt was compiled from, where one was sent with it. */
  readonly workflowText?: string | undefined;
}

/**
 * The texts of a job cut from the server's own answer (protocol 2.1), every digit of them; undefined when the server
 * does not tell the prompt of a job in this state.
 */
export async function sentTextsOfJob(
  transport: Pick<Transport, 'text'>,
  id: string,
  signal?: AbortSignal,
): Promise<SentTexts | undefined> {
  const text = await transport.text({ path: `/api/jobs/${encodeURIComponent(id)}`, signal });
  const { root } = parseJson(text);
  const prompt = within(root, ['workflow', 'prompt']);
  const graph = within(root, ['workflow', 'extra_data', 'extra_pnginfo', 'workflow']);
  if (prompt?.kind !== 'object') return undefined;
  return {
    promptText: textOf(text, prompt),
    ...(graph?.kind === 'object' && { workflowText: textOf(text, graph) }),
  };
}

function within(root: JsonNode | undefined, names: readonly string[]): JsonNode | undefined {
  return names.reduce<JsonNode | undefined>(
    (node, name) => (node?.kind === 'object' ? node.get(name) : undefined),
    root,
  );
}
