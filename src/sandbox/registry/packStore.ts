export type ReviewProblem = 'noSuchPack' | 'alreadyReviewed';

export class PackStore {
  readonly #reviews = new Map<string, Map<string, number>>();

  constructor(readonly packs: readonly SandboxPack[] = sandboxPacks) {
    for (const { id, reviews } of packs) {
      this.#reviews.set(id, new Map(reviews.map((stars, at) => [`earlier-${at}`, stars])));
    }
  }

  pack(id: string): SandboxPack | undefined {
    return this.packs.find((pack) => pack.id === id);
  }

  /** Packs that claim the name come first, then ranking, then installs. */
  provider(classType: string): SandboxPack | undefined {
    const claims = ({ record }: SandboxPack): boolean => {
      const names = record['preempted_comfy_node_names'];
      return Array.isArray(names) && names.includes(classType);
    };
    const rank = (pack: SandboxPack) => numberIn(pack, 'search_ranking', Number.MAX_SAFE_INTEGER);
    return this.packs
      .filter(({ classTypes }) => classTypes.includes(classType))
      .sort(
        (one, other) =>
          Number(claims(other)) - Number(claims(one)) ||
          rank(one) - rank(other) ||
          numberIn(other, 'downloads', 0) - numberIn(one, 'downloads', 0),
      )[0];
  }

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

  /** A second review of the same person changes nothing. */
  review(id: string, reviewer: string, stars: number): ReviewProblem | undefined {
    const given = this.#reviews.get(id);
    if (!given) return 'noSuchPack';
    if (given.has(reviewer)) return 'alreadyReviewed';
    given.set(reviewer, stars);
    return undefined;
  }

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

function numberIn({ record }: SandboxPack, name: string, missing: number): number {
  const value = record[name];
  return typeof value === 'number' ? value : missing;
}

/** A record on the wire with what only the registry knows. */
export interface SandboxPack {
  readonly id: string;
  /** Without `id`, `rating` and `latest_version`, which are added when it is sent. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Newest first. */
  readonly versions: readonly Readonly<Record<string, unknown>>[];
  readonly classTypes: readonly string[];
  /** Node types that only the search finds, such as those made while a pack loads. */
  readonly searchedOnly?: readonly string[];
  readonly reviews: readonly number[];
}

const harbour = {
  id: 'harbour',
  name: 'Harbour Nodes',
  description: 'Publisher of the sandbox.',
  website: 'https://example.org/harbour',
  support: 'https://example.org/harbour/help',
  source_code_repo: 'https://example.org/harbour/source',
  logo: '',
  status: 'PublisherStatusActive',
  createdAt: '2024-03-01T08:00:00Z',
  members: [
    { id: 'm1', role: 'owner', user: { id: 'u1', name: 'harbour-owner', email: 'owner@example.org' } },
    { id: 'm2', role: 'member', user: { id: 'u2', name: '', email: 'member@example.org' } },
  ],
};

const closedYard = { ...harbour, id: 'closed-yard', name: 'Closed Yard', status: 'PublisherStatusBanned' };

function record(name: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name,
    description: `${name} of the sandbox.`,
    author: '',
    category: '',
    license: '{"text": "MIT"}',
    icon: '',
    repository: 'https://example.org/harbour/nodes',
    tags: [],
    tags_admin: [],
    publisher: harbour,
    status: 'NodeStatusActive',
    status_detail: '',
    created_at: '2024-05-02T10:00:00Z',
    ...more,
  };
}

function version(name: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: `version-${name}`,
    version: name,
    createdAt: '2026-02-03T12:00:00.123456Z',
    changelog: '',
    dependencies: [],
    deprecated: false,
    status: 'NodeVersionStatusActive',
    status_reason: '',
    comfy_node_extract_status: 'success',
    ...more,
  };
}

function pack(
  id: string,
  classTypes: readonly string[],
  details: Partial<Omit<SandboxPack, 'id' | 'classTypes'>>,
): SandboxPack {
  const { record: more, versions = [version('1.0.0')], reviews = [], ...rest } = details;
  const words = id.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { id, record: record(words.join(' '), more), versions, classTypes, reviews, ...rest };
}

const everywhere = {
  supported_os: ['Linux', 'macOS', 'Windows'],
  supported_accelerators: ['CUDA', 'ROCm', 'Metal'],
};

/** In every state of the registry, and one without any optional member. */
export const sandboxPacks: readonly SandboxPack[] = [
  pack('lighthouse-nodes', ['LighthouseBeam', 'Lighthouse Horn|loud', 'Lighthouse/Fog+Bank'], {
    record: {
      description: 'Beams, fog and horns for pictures by the sea.',
      translations: { de: { description: 'Licht, Nebel und Hörner für Bilder am Meer.' } },
      category: 'image',
      tags: ['light', 'sea'],
      downloads: 48_210,
      github_stars: 1_312,
      ...everywhere,
      supported_comfyui_version: '>=0.3.40',
      supported_comfyui_frontend_version: '>=1.20.0',
      search_ranking: 1,
    },
    versions: [
      version('2.1.0', { changelog: 'A wider beam.', dependencies: ['numpy'], ...everywhere }),
      version('2.0.0', { createdAt: '2025-11-20T09:00:00Z', changelog: 'New horn.', deprecated: true }),
      version('1.0.0', {
        createdAt: '2024-05-02T10:00:00Z',
        status: 'NodeVersionStatusFlagged',
        status_reason: 'It runs downloaded code.',
      }),
    ],
    reviews: [5, 4, 4],
  }),
  pack('harbour-masks', ['HarbourMask', 'HarbourMaskBlur'], {
    record: { downloads: 90_000, search_ranking: 5 },
    versions: [version('1.4.2')],
  }),
  pack('mask-originals', ['HarbourMask'], {
    record: { downloads: 12, search_ranking: 9, preempted_comfy_node_names: ['HarbourMask'] },
    reviews: [3],
  }),
  pack('wrecked-samplers', ['WreckedSampler'], {
    record: { status: 'NodeStatusBanned', status_detail: 'Ran code of others.' },
    versions: [version('1.0.0', { status: 'NodeVersionStatusBanned' })],
    reviews: [1, 1],
  }),
  pack('sunken-loaders', ['SunkenLoader'], {
    record: { status: 'NodeStatusDeleted' },
    versions: [version('3.0.0', { status: 'NodeVersionStatusDeleted' })],
  }),
  pack('drifting-upscalers', ['DriftingUpscaler'], {
    record: { downloads: 310 },
    versions: [version('0.2.0', { status: 'NodeVersionStatusFlagged', status_reason: '{"rule": "exec"}' })],
    reviews: [2],
  }),
  pack('maiden-voyage', ['MaidenVoyage'], {
    record: { downloads: 0 },
    versions: [version('0.0.1', { status: 'NodeVersionStatusPending' })],
  }),
  pack('salvage-tools', ['SalvageTool'], { record: { tags_admin: ['copy', 'spam'] } }),
  pack('old-rigging', ['OldRigging'], {
    record: { license: '{"file": "LICENSE"}' },
    versions: [version('0.8.0', { deprecated: true })],
    reviews: [4],
  }),
  pack('locked-cargo', ['LockedCargo'], { record: { publisher: closedYard } }),
  pack('tide-tables', [], { record: { downloads: 77 }, searchedOnly: ['TideTable'] }),
  {
    id: 'bare-hull',
    record: { description: null, publisher: null, tags: null, status: null },
    versions: [],
    classTypes: ['BareHull'],
    reviews: [],
  },
];
