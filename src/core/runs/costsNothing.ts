import type { RunSession } from '../runLife/runSession';
import { isWithoutPartners, findPartnerNodes } from '../workflow/classTypePlaces';
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

export async function usesPartners(
  promptText: string | undefined,
  session: Pick<RunSession, 'catalog'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { prompt } = WorkflowDocument.of(promptText ?? '{}');
  const catalog = await session.catalog(signal);
  return catalog !== undefined && prompt !== undefined && findPartnerNodes(prompt, catalog).length > 0;
}
