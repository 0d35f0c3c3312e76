import { sandboxPacks, type SandboxPack } from './sandboxPacks';

/** Why the registry's database refuses a review. */
export type ReviewProblem = 'noSuchPack' | 'alreadyReviewed';

/** The packs of one sandbox, with their reviews. */
export class PackStore {
  /** Stars by reviewer. */
  readonly #reviews = new Map<string, Map<string, number>>();

  constructor(readonly packs: readonly SandboxPack[] = sandboxPacks) {
    for (const { id, reviews } of packs) {
      this.#reviews.set(id, new Map(reviews.map((stars, at) => [`earlier-${at}`, stars])));
    }
  }

  /** By the exact id. */
  pack(id: string): SandboxPack | undefined {
    return this.packs.find((pack) => pack.id === id);
  }

  /** The pack of a node type: one that claims the name first, then by ranking, then by installs. */
  provider(classType: string): SandboxPack | undefined {
    const claims = ({ record }: SandboxPack): boolean => {
      const names = record['preempted_comfy_node_names'];
      return Array.isArray(names) && names.includes(classType);
    };
    const rank = (pack: SandboxPack) => numberIn(pack, 'search_ranking') ?? Number.MAX_SAFE_INTEGER;
    return this.packs
      .filter(({ classTypes }) => classTypes.includes(classType))
      .sort(
        (one, other) =>
          Number(claims(other)) - Number(claims(one)) ||
          rank(one) - rank(other) ||
          (numberIn(other, 'downloads') ?? 0) - (numberIn(one, 'downloads') ?? 0),
      )[0];
  }

  /** Packs whose name, id or description contains the words, and that have a matching node type. */
  search(words: string, classType: string, includeBanned: boolean): SandboxPack[] {
    const [wanted, wantedClass] = [words.toLowerCase(), classType.toLowerCase()];
    return this.packs.filter((pack) => {
      const { id, record, classTypes, searchedOnly = [] } = pack;
      if (record['status'] === 'NodeStatusDeleted') return false;
      if (record['status'] === 'NodeStatusBanned' && !includeBanned) return false;
      const text = [id, record['name'], record['description']].join(' ').toLowerCase();
      const classes = [...classTypes, ...searchedOnly];
      return (
        text.includes(wanted) &&
        (wantedClass === '' || classes.some((name) => name.toLowerCase().includes(wantedClass)))
      );
    });
  }

  /** One review per reviewer and pack; a second one changes nothing. */
  review(id: string, reviewer: string, stars: number): ReviewProblem | undefined {
    const given = this.#reviews.get(id);
    if (!given) return 'noSuchPack';
    if (given.has(reviewer)) return 'alreadyReviewed';
    given.set(reviewer, stars);
    return undefined;
  }

  /** The current record of a pack. */
  told(pack: SandboxPack): object {
    const stars = [...(this.#reviews.get(pack.id)?.values() ?? [])];
    const sum = stars.reduce((total, each) => total + each, 0);
    const [latest] = pack.versions;
    return {
      id: pack.id,
      ...pack.record,
      ...(stars.length === 0 ? {} : { rating: sum / stars.length }),
      ...(latest ? { latest_version: { ...latest, node_id: pack.id } } : {}),
    };
  }
}

function numberIn({ record }: SandboxPack, name: string): number | undefined {
  const value = record[name];
  return typeof value === 'number' ? value : undefined;
}
