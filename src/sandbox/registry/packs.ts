/** A pack of the sandbox's registry: its record as the wire has it, and what only the registry itself knows. */
export interface SandboxPack {
  readonly id: string;
  /** Members of the record; `id`, `rating` and `latest_version` are added when it is told. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Newest first; the first one is told as the latest. */
  readonly versions: readonly Readonly<Record<string, unknown>>[];
  readonly classTypes: readonly string[];
  /** Class types that only the search knows, as of packs that make their names while they load. */
  readonly searchedOnly?: readonly string[];
  /** Stars of the reviews that others have given. */
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

/** Packs in every state that the registry knows, and one without any optional member. */
export const sandboxPacks: readonly SandboxPack[] = [
  {
    id: 'lighthouse-nodes',
    record: record('Lighthouse Nodes', {
      description: 'Beams, fog and horns for pictures by the sea.',
      translations: { de: { description: 'Licht, Nebel und Hörner für Bilder am Meer.' } },
      category: 'image',
      tags: ['light', 'sea'],
      downloads: 48_210,
      github_stars: 1_312,
      supported_os: ['Linux', 'macOS', 'Windows'],
      supported_accelerators: ['CUDA', 'ROCm', 'Metal'],
      supported_comfyui_version: '>=0.3.40',
      supported_comfyui_frontend_version: '>=1.20.0',
      search_ranking: 1,
    }),
    versions: [
      version('2.1.0', {
        changelog: 'A wider beam.',
        dependencies: ['numpy'],
        supported_os: ['Linux', 'macOS', 'Windows'],
        supported_accelerators: ['CUDA', 'ROCm', 'Metal'],
      }),
      version('2.0.0', { createdAt: '2025-11-20T09:00:00Z', changelog: 'New horn.', deprecated: true }),
      version('1.0.0', {
        createdAt: '2024-05-02T10:00:00Z',
        status: 'NodeVersionStatusFlagged',
        status_reason: 'It runs downloaded code.',
      }),
    ],
    classTypes: ['LighthouseBeam', 'Lighthouse Horn|loud', 'Lighthouse/Fog+Bank'],
    reviews: [5, 4, 4],
  },
  {
    id: 'harbour-masks',
    record: record('Harbour Masks', { downloads: 90_000, search_ranking: 5 }),
    versions: [version('1.4.2')],
    classTypes: ['HarbourMask', 'HarbourMaskBlur'],
    reviews: [],
  },
  {
    id: 'mask-originals',
    record: record('Mask Originals', {
      downloads: 12,
      search_ranking: 9,
      preempted_comfy_node_names: ['HarbourMask'],
    }),
    versions: [version('0.9.0')],
    classTypes: ['HarbourMask'],
    reviews: [3],
  },
  {
    id: 'wrecked-samplers',
    record: record('Wrecked Samplers', { status: 'NodeStatusBanned', status_detail: 'Ran code of others.' }),
    versions: [version('1.0.0', { status: 'NodeVersionStatusBanned' })],
    classTypes: ['WreckedSampler'],
    reviews: [1, 1],
  },
  {
    id: 'sunken-loaders',
    record: record('Sunken Loaders', { status: 'NodeStatusDeleted' }),
    versions: [version('3.0.0', { status: 'NodeVersionStatusDeleted' })],
    classTypes: ['SunkenLoader'],
    reviews: [],
  },
  {
    id: 'drifting-upscalers',
    record: record('Drifting Upscalers', { downloads: 310 }),
    versions: [version('0.2.0', { status: 'NodeVersionStatusFlagged', status_reason: '{"rule": "exec"}' })],
    classTypes: ['DriftingUpscaler'],
    reviews: [2],
  },
  {
    id: 'maiden-voyage',
    record: record('Maiden Voyage', { downloads: 0 }),
    versions: [version('0.0.1', { status: 'NodeVersionStatusPending' })],
    classTypes: ['MaidenVoyage'],
    reviews: [],
  },
  {
    id: 'salvage-tools',
    record: record('Salvage Tools', { tags_admin: ['copy', 'spam'] }),
    versions: [version('1.1.0')],
    classTypes: ['SalvageTool'],
    reviews: [],
  },
  {
    id: 'old-rigging',
    record: record('Old Rigging', { license: '{"file": "LICENSE"}' }),
    versions: [version('0.8.0', { deprecated: true })],
    classTypes: ['OldRigging'],
    reviews: [4],
  },
  {
    id: 'locked-cargo',
    record: record('Locked Cargo', { publisher: closedYard }),
    versions: [version('1.0.0')],
    classTypes: ['LockedCargo'],
    reviews: [],
  },
  {
    id: 'tide-tables',
    record: record('Tide Tables', { downloads: 77 }),
    versions: [version('5.0.0')],
    classTypes: [],
    searchedOnly: ['TideTable'],
    reviews: [],
  },
  {
    id: 'bare-hull',
    record: { description: null, publisher: null, tags: null, status: null },
    versions: [],
    classTypes: ['BareHull'],
    reviews: [],
  },
];
