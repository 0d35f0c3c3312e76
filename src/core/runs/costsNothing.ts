import type { RunSession } from '../runLife/runSession';
import { isWithoutPartners } from '../workflow/partnerNodes';
import { WorkflowDocument } from '../workflow/workflowDocument';

/** Whether running a prompt twice would be paid for nowhere: on a server of one's own that knows all its nodes. */
export async function costsNothing(
  promptText: string | undefined,
  session: Pick<RunSession, 'capabilities' | 'catalog'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (promptText === undefined || (await session.capabilities()).dialect !== 'local') return false;
  const catalog = await session.catalog(signal);
  const { prompt } = WorkflowDocument.of(promptText);
  return catalog !== undefined && prompt !== undefined && isWithoutPartners(prompt, catalog);
}
