import * as z from 'zod';
import { instant, optional, recordOf } from '../wire';
import { type Publisher, publisher, stateName } from './registryPublisher';
import { registryNumber, registryText, registryTexts, registryWords } from './registryText';

/** Known states; others keep their name, in lower case. */
export type NodeStatus = 'active' | 'deleted' | 'banned' | (string & {});
export type NodeVersionStatus = NodeStatus | 'pending' | 'flagged';

/** What a pack or one version of it runs on. */
interface Support {
  readonly supportedOs?: readonly string[] | undefined;
  readonly supportedAccelerators?: readonly string[] | undefined;
  /** Version ranges such as `>=0.3.0`. */
  readonly supportedComfyuiVersion?: string | undefined;
  readonly supportedFrontendVersion?: string | undefined;
}

export interface RegistryNodeVersion extends Support {
  readonly id?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly version?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number | undefined;
  readonly changelog?: string | undefined;
  readonly dependencies?: readonly string[] | undefined;
  readonly downloadUrl?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly status?: NodeVersionStatus | undefined;
  readonly statusReason?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly tagsAdmin?: readonly string[] | undefined;
  readonly extractStatus?: string | undefined;
}

/** A node pack, which the registry calls a node. Any field may be missing (protocol 6.2). */
export interface RegistryNode extends Support {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly category?: string | undefined;
  readonly description?: string | undefined;
  readonly author?: string | undefined;
  readonly license?: string | undefined;
  readonly icon?: string | undefined;
  readonly bannerUrl?: string | undefined;
  readonly repository?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly tagsAdmin?: readonly string[] | undefined;
  readonly latestVersion?: RegistryNodeVersion | undefined;
  /** Mean of the reviews, 1 to 5. */
  readonly rating?: number | undefined;
  readonly downloads?: number | undefined;
  readonly githubStars?: number | undefined;
  readonly publisher?: Publisher | undefined;
  readonly status?: NodeStatus | undefined;
  readonly statusDetail?: string | undefined;
  readonly searchRanking?: number | undefined;
  readonly preemptedClassTypes?: readonly string[] | undefined;
  /** Language, then field, such as `description`. */
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> | undefined;
  /** Translated fields without a place of their own. */
  readonly moreWords?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number | undefined;
}

const support = {
  supported_os: registryTexts,
  supported_accelerators: registryTexts,
  supported_comfyui_version: registryText,
  supported_comfyui_frontend_version: registryText,
};

function supportOf(raw: {
  readonly supported_os?: readonly string[] | undefined;
  readonly supported_accelerators?: readonly string[] | undefined;
  readonly supported_comfyui_version?: string | undefined;
  readonly supported_comfyui_frontend_version?: string | undefined;
}): Support {
  return {
    supportedOs: raw.supported_os,
    supportedAccelerators: raw.supported_accelerators,
    supportedComfyuiVersion: raw.supported_comfyui_version,
    supportedFrontendVersion: raw.supported_comfyui_frontend_version,
  };
}

/** The date occurs in both spellings (protocol 6.2). */
const created = { createdAt: optional(instant), created_at: optional(instant) };

const registryNodeVersion = z
  .object({
    ...support,
    ...created,
    id: registryText,
    node_id: registryText,
    version: registryText,
    changelog: registryText,
    dependencies: registryTexts,
    downloadUrl: registryText,
    deprecated: optional(z.boolean()),
    status: stateName('NodeVersionStatus'),
    status_reason: registryText,
    tags: registryTexts,
    tags_admin: registryTexts,
    comfy_node_extract_status: registryText,
  })
  .transform((raw): RegistryNodeVersion => ({
    ...supportOf(raw),
    id: raw.id,
    nodeId: raw.node_id,
    version: raw.version,
    createdAt: raw.createdAt ?? raw.created_at,
    changelog: raw.changelog,
    dependencies: raw.dependencies,
    downloadUrl: raw.downloadUrl,
    deprecated: raw.deprecated,
    status: raw.status,
    statusReason: raw.status_reason,
    tags: raw.tags,
    tagsAdmin: raw.tags_admin,
    extractStatus: raw.comfy_node_extract_status,
  }));

export const registryNode = z
  .object({
    ...support,
    ...created,
    id: registryText,
    name: registryText,
    category: registryText,
    description: registryText,
    author: registryText,
    license: registryText,
    icon: registryText,
    banner_url: registryText,
    repository: registryText,
    tags: registryTexts,
    tags_admin: registryTexts,
    latest_version: optional(registryNodeVersion),
    rating: registryNumber,
    downloads: registryNumber,
    github_stars: registryNumber,
    publisher: optional(publisher),
    status: stateName('NodeStatus'),
    status_detail: registryText,
    search_ranking: registryNumber,
    preempted_comfy_node_names: registryTexts,
    translations: optional(recordOf(recordOf(registryWords).catch({}))),
  })
  .transform((raw): RegistryNode => ({
    ...supportOf(raw),
    id: raw.id,
    name: raw.name,
    category: raw.category,
    description: raw.description,
    author: raw.author,
    license: raw.license,
    icon: raw.icon,
    bannerUrl: raw.banner_url,
    repository: raw.repository,
    tags: raw.tags,
    tagsAdmin: raw.tags_admin,
    latestVersion: raw.latest_version,
    rating: raw.rating,
    downloads: raw.downloads,
    githubStars: raw.github_stars,
    publisher: raw.publisher,
    status: raw.status,
    statusDetail: raw.status_detail,
    searchRanking: raw.search_ranking,
    preemptedClassTypes: raw.preempted_comfy_node_names,
    translations: raw.translations,
    createdAt: raw.createdAt ?? raw.created_at,
  }));

/** Answer of `GET /nodes/search` and `GET /nodes`. */
export interface RegistryPage {
  readonly nodes: readonly RegistryNode[];
  readonly total?: number | undefined;
}

export const registryPage = z
  .object({
    nodes: z
      .array(z.unknown())
      .nullish()
      .transform((items) => (items ?? []).flatMap((item) => registryNode.safeParse(item).data ?? [])),
    total: registryNumber,
  })
  .transform((raw): RegistryPage => raw);

/** More than any pack has. Reading everything that fits into an answer would take minutes. */
const mostVersions = 2_000;

/** Answer of `GET /nodes/{id}/versions`, up to the limit. */
export const registryVersions = z
  .array(z.unknown())
  .nullable()
  .transform((items) =>
    (items ?? []).slice(0, mostVersions).flatMap((item) => registryNodeVersion.safeParse(item).data ?? []),
  );
