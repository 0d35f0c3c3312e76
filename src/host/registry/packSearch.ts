import { mapDefined } from '../../core/safety/lists';
import { readPackCard, type PackCard } from '../../core/registry/packCard';
import { countWords, ratingWords } from './packWords';
import type { RegistryNode } from '../../core/protocol/registry/registryNode';
import { ServerError } from '../../core/protocol/serverError';
import { plainText } from '../../core/safety/plainText';
import { t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { isCancellation } from '../platform/problems';
import type { Registry } from './registries';
import { LivePick, type ListRow } from '../platform/show';

interface PackPick extends ListRow {
  readonly card?: PackCard;
}

/** Typing must pause this long before the registry is searched (ms). */
const rest = 300;

const longestDetail = 200;

/** Searches the registry as the user types; the selected pack, or undefined when cancelled. */
export async function searchPack(
  registry: Registry,
  title: Shown,
  words = '',
): Promise<PackCard | undefined> {
  const placeHolder = shown`Name or description of a node pack, or a node type`;
  const pick = new LivePick<PackPick>(title, placeHolder, words);
  let asking = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const ask = async (): Promise<void> => {
    asking.abort();
    const mine = new AbortController();
    asking = mine;
    pick.busy = true;
    const picks = await found(registry, pick.typed.trim(), mine.signal);
    if (mine.signal.aborted) return;
    pick.picks = picks;
    pick.busy = false;
  };
  const chosen = new Promise<PackCard | undefined>((resolve) => {
    pick.onDidAccept((accepted) => {
      if (accepted?.card) resolve(accepted.card);
    });
    pick.onDidHide(() => resolve(undefined));
  });
  pick.onDidType(() => {
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

/** Rows for a search. An error is a row too: the next letter may work. */
async function found(registry: Registry, words: string, signal: AbortSignal): Promise<PackPick[]> {
  try {
    const nodes = await search(registry, words, signal);
    const cards = mapDefined(nodes, (node) => readPackCard(node));
    if (cards.length === 0)
      return [{ label: shown`No pack found`, detail: shown`Try different words.`, alwaysShow: true }];
    return cards.map((card) => ({ ...packRow(card), alwaysShow: true, card }));
  } catch (error) {
    if (isCancellation(error)) return [];
    const detail = ServerError.is(error) ? shown`${error.message}` : shown`Try again.`;
    return [
      { label: shown`$(warning) ${t`The node registry couldn't be reached.`}`, detail, alwaysShow: true },
    ];
  }
}

/** Searches by text and, without results, by node type. */
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
export function packRow(card: PackCard): ListRow {
  const { name, publisher, version, rating, downloads, warnings, description } = card;
  const facts = [
    publisher,
    version,
    rating === undefined ? undefined : ratingWords(rating),
    downloads === undefined ? undefined : t`${countWords(downloads)} downloads`,
  ];
  return {
    label: shown`${warnings.length > 0 ? shown`$(warning)` : shown`$(package)`} ${name}`,
    description: Shown.join(facts, shown` · `),
    detail: shown`${plainText(warnings[0] ?? description ?? '', 'one line', longestDetail)}`,
  };
}
