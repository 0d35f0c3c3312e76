import type { Transport } from '../client/transport';
import { textOf } from '../json/textEdit';
import { parseJson } from '../json/tree';

/**
 * The prompt of a job cut from the server's own answer (protocol 2.1), every digit of it; undefined when the server
 * does not tell it for a job in this state.
 */
export async function promptTextOfJob(
  transport: Pick<Transport, 'text'>,
  id: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const text = await transport.text({ path: `/api/jobs/${encodeURIComponent(id)}`, signal });
  const { root } = parseJson(text);
  const workflow = root?.kind === 'object' ? root.get('workflow') : undefined;
  const prompt = workflow?.kind === 'object' ? workflow.get('prompt') : undefined;
  return prompt?.kind === 'object' ? textOf(text, prompt) : undefined;
}
