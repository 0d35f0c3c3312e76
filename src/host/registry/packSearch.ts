import * as vscode from 'vscode';
import { cardOf, type PackCard } from '../../core/client/registry/packCard';
import { countWords, ratingWords } from '../../core/client/registry/packWords';
import type { RegistryNode } from '../../core/protocol/registry/registryNode';
import { ServerError } from '../../core/protocol/serverError';
import { isCancellation } from '../platform/problems';
import type { Registry } from './registries';

interface PackPick extends vscode.QuickPickItem {
  readonly card?: PackCard;
}

/** The typing has to rest this long before the registry is asked (ms). */
const rest = 300;

/** Searches the registry while the user types; the pack that he chose, undefined when he turns away. */
export async function searchPack(
  registry: Registry,
  title: string,
  words = '',
): Promise<PackCard | undefined> {
  const pick = vscode.window.createQuickPick<PackPick>();
  pick.title = title;
  pick.placeholder = 'Name of a node pack, words of its description, or a class';
  pick.value = words;
  let asking = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const ask = async (): Promise<void> => {
    asking.abort();
    const mine = new AbortController();
    asking = mine;
    pick.busy = true;
    const items = await found(registry, pick.value.trim(), mine.signal);
    if (mine.signal.aborted) return;
    pick.items = items;
    pick.busy = false;
  };
  const chosen = new Promise<PackCard | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const card = pick.selectedItems[0]?.card;
      if (card) resolve(card);
    });
    pick.onDidHide(() => resolve(undefined));
  });
  pick.onDidChangeValue(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), rest);
  });
  pick.show();
  void ask();
  try {
    return await chosen;
  } finally {
    clearTimeout(timer);
    asking.abort();
    pick.dispose();
  }
}

/** Rows for a search. Trouble is a row too: the next letter may work again. */
async function found(registry: Registry, words: string, signal: AbortSignal): Promise<PackPick[]> {
  try {
    const nodes = await search(registry, words, signal);
    const cards = nodes.flatMap((node) => cardOf(node) ?? []);
    if (cards.length === 0) return [{ label: 'No pack found', detail: 'Try other words.', alwaysShow: true }];
    return cards.map((card) => ({ ...packRow(card), alwaysShow: true, card }));
  } catch (error) {
    if (isCancellation(error)) return [];
    const detail = ServerError.is(error) ? error.message : 'Try again.';
    return [{ label: '$(warning) The registry did not answer', detail, alwaysShow: true }];
  }
}

/** By words; where nothing has them, by a class type that packs have. */
async function search(
  { client }: Registry,
  words: string,
  signal: AbortSignal,
): Promise<readonly RegistryNode[]> {
  const { nodes } = await client.search(words === '' ? {} : { words }, signal);
  if (nodes.length > 0 || words === '') return nodes;
  return (await client.search({ classType: words }, signal)).nodes;
}

/** A pack as a row of a quick pick. */
export function packRow(card: PackCard): vscode.QuickPickItem {
  const { name, publisher, version, rating, downloads, warnings, description } = card;
  const facts = [
    publisher,
    version,
    rating === undefined ? undefined : ratingWords(rating),
    downloads === undefined ? undefined : `${countWords(downloads)} downloads`,
  ];
  return {
    label: `${warnings.length > 0 ? '$(warning)' : '$(package)'} ${plainLabel(name)}`,
    description: plainLabel(facts.filter((fact) => fact !== undefined).join(' · ')),
    detail: plainLabel(warnings[0] ?? description ?? '').slice(0, 200),
  };
}

/** Quick picks draw `$(name)` as an icon: not for texts of others. */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$ (').replace(/\s+/g, ' ');
}
