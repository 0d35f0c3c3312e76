import { isDeepStrictEqual } from 'node:util';
import { importedPrompt, promptChange } from '../../src/core/canvas/promptChange';
import type { Catalog } from '../../src/core/catalog/catalog';
import { sourceTextIn } from '../../src/core/json/textEdit';
import { promptFromText } from '../../src/core/workflow/prompt';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import type { ComfyPage } from './comfyPage';

type PagePrompt = Readonly<
  Record<string, { readonly inputs: object; readonly class_type: string } | undefined>
>;

export interface PromptOutcome {
  readonly kind: 'equal' | 'as reload' | 'differs' | 'refused' | 'touched' | 'failed';
  readonly note: string;
  readonly length: number;
}

/**
 * Whether an edit of a file in API format comes back: the page's prompt after the edit is the one of what was written,
 * and nodes that are the same in its prompts have the same text. Undefined if the edit changed no prompt.
 */
export async function promptOutcome(
  page: ComfyPage,
  text: string,
  catalog: Catalog,
  edit: () => Promise<string | undefined>,
): Promise<PromptOutcome | undefined> {
  const before = await opened(page, text);
  if (before === undefined) return { kind: 'failed', note: 'The page did not load it.', length: 0 };
  const was = await pagePrompt(page);
  if ((await edit()) === undefined) return undefined;
  const after = await page.settledState();
  if (after === undefined || after === before) return undefined;
  const change = promptChange(WorkflowDocument.of(text), before, after, catalog);
  const wanted = await pagePrompt(page);
  if (change.kind === 'refused')
    return { kind: 'refused', note: `${change.reason} ${change.id ?? ''}`, length: 0 };
  const length = change.edits.reduce((sum, each) => sum + Math.max(each.length, each.newText.length), 0);
  if (change.edits.length === 0 && isDeepStrictEqual(was, wanted)) return undefined;
  const [old, written] = [text, change.text].map(promptFromText);
  const touched = old?.nodes.filter(({ id, node }) => {
    const now = written?.node(id)?.node;
    const isSame = isDeepStrictEqual(was[pageId(id)], wanted[pageId(id)]);
    return isSame && (!now || sourceTextIn(change.text, now) !== sourceTextIn(text, node));
  });
  if (touched?.length) return { kind: 'touched', note: touched.map(({ id }) => id).join(' '), length };
  if ((await opened(page, change.text)) === undefined)
    return { kind: 'failed', note: 'The page did not load what was written.', length };
  const found = await pagePrompt(page);
  if (isDeepStrictEqual(found, wanted)) return { kind: 'equal', note: '', length };
  await opened(page, JSON.stringify(wanted));
  const again = await pagePrompt(page);
  const left = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].filter(
    (id) => !isDeepStrictEqual(found[id], wanted[id]) && !isDeepStrictEqual(found[id], again[id]),
  );
  const note = left
    .slice(0, 2)
    .map((id) => `${id}: ${JSON.stringify(wanted[id])} was ${JSON.stringify(found[id])}`);
  return { kind: left.length === 0 ? 'as reload' : 'differs', note: note.join('; '), length };
}

/** As a canvas opens it: the page makes a graph, and loads that. */
async function opened(page: ComfyPage, text: string): Promise<string | undefined> {
  const graph = await page.importPrompt(importedPrompt(WorkflowDocument.of(text)));
  return graph === undefined ? undefined : page.load(graph);
}

/** With the IDs that the page gives nodes. */
async function pagePrompt(page: ComfyPage): Promise<PagePrompt> {
  const ids = /"([^"\\:]+(?::[^"\\:]+)+)"(?=:\{"inputs"|,\d+\])/g;
  return JSON.parse((await page.prompt()).replaceAll(ids, pageId)) as PagePrompt;
}

function pageId(id: string): string {
  return id.replaceAll(':', '_');
}
