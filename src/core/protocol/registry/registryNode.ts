import * as z from 'zod';
import { mapDefined } from '../../safety/lists';
import { wireInstant, wireOptional, wireRecord } from '../wire';
import { registryNumber, registryText, registryTexts, registryWords } from './registryText';

/** Drops the e-mail address of the record, so that it goes nowhere. */
const user = z.object({ id: registryText, name: registryText });

const member = z.object({ id: registryText, role: registryText, user: wireOptional(user) });

/** `PublisherStatusActive` -> `active`; unknown states keep their name, in lower case. */
function stateName(prefix: string) {
  return registryText.transform((text) =>
    text === undefined
      ? undefined
      : (text.startsWith(prefix) ? text.slice(prefix.length) : text).toLowerCase(),
  );
}

const publisher = z
  .object({
    id: registryText,
    name: registryText,
    description: registryText,
    website: registryText,
    support: registryText,
    source_code_repo: registryText,
    logo: registryText,
    status: stateName('PublisherStatus'),
    createdAt: wireOptional(wireInstant),
    created_at: wireOptional(wireInstant),
    members: wireOptional(
      z.array(z.unknown()).transform((items) => mapDefined(items, (item) => member.safeParse(item).data)),
    ),
  })
  .transform(({ source_code_repo, created_at, createdAt, ...raw }) => ({
    ...raw,
    sourceCodeRepo: source_code_repo,
    createdAt: createdAt ?? created_at,
  }));

const shared = {
  supported_os: registryTexts,
  supported_accelerators: registryTexts,
  /** Version ranges such as `>=0.3.0`. */
  supported_comfyui_version: registryText,
  supported_comfyui_frontend_version: registryText,
  /** Milliseconds since the epoch. The date occurs in both spellings (protocol 6.2). */
  createdAt: wireOptional(wireInstant),
  created_at: wireOptional(wireInstant),
  tags_admin: registryTexts,
};

function named<T extends z.output<z.ZodObject<typeof shared>>>(raw: T) {
  const {
    supported_os: supportedOs,
    supported_accelerators: supportedAccelerators,
    supported_comfyui_version: supportedComfyuiVersion,
    supported_comfyui_frontend_version: supportedFrontendVersion,
    created_at: created,
    createdAt = created,
    tags_admin: tagsAdmin,
    ...others
  } = raw;
  const support = { supportedOs, supportedAccelerators, supportedComfyuiVersion, supportedFrontendVersion };
  return { ...others, ...support, createdAt, tagsAdmin };
}

const registryNodeVersion = z
  .object({
    ...shared,
    id: registryText,
    node_id: registryText,
    version: registryText,
    changelog: registryText,
    dependencies: registryTexts,
    downloadUrl: registryText,
    deprecated: wireOptional(z.boolean()),
    status: stateName('NodeVersionStatus'),
    status_reason: registryText,
    tags: registryTexts,
    comfy_node_extract_status: registryText,
  })
  .transform(({ node_id: nodeId, status_reason: statusReason, comfy_node_extract_status, ...raw }) => ({
    ...named(raw),
    nodeId,
    statusReason,
    extractStatus: comfy_node_extract_status,
  }));

export type RegistryNodeVersion = Readonly<Partial<z.output<typeof registryNodeVersion>>>;

/** A node pack, which the registry calls a node. Any field may be missing (protocol 6.2). */
export const registryNode = z
  .object({
    ...shared,
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
    latest_version: wireOptional(registryNodeVersion),
    /** Mean of the reviews, 1 to 5. */
    rating: registryNumber,
    downloads: registryNumber,
    github_stars: registryNumber,
    publisher: wireOptional(publisher),
    status: stateName('NodeStatus'),
    status_detail: registryText,
    search_ranking: registryNumber,
    preempted_comfy_node_names: registryTexts,
    /** Language, then field, such as `description`. */
    translations: wireOptional(wireRecord(wireRecord(registryWords).catch({}))),
  })
  .transform(
    ({
      banner_url: bannerUrl,
      latest_version: latestVersion,
      github_stars: githubStars,
      status_detail: statusDetail,
      search_ranking: searchRanking,
      preempted_comfy_node_names: preemptedClassTypes,
      ...raw
    }) => ({
      ...named(raw),
      bannerUrl,
      latestVersion: latestVersion as RegistryNodeVersion | undefined,
      githubStars,
      statusDetail,
      searchRanking,
      preemptedClassTypes,
    }),
  );

export interface RegistryNode extends Readonly<Partial<z.output<typeof registryNode>>> {
  readonly moreWords?: Readonly<Record<string, string | undefined>> | undefined;
}

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
      .transform((items) => mapDefined(items ?? [], (item) => registryNode.safeParse(item).data)),
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
    mapDefined((items ?? []).slice(0, mostVersions), (item) => registryNodeVersion.safeParse(item).data),
  );
