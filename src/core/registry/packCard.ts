import * as z from 'zod';
import type { RegistryNode, RegistryNodeVersion } from '../protocol/registry/registryNode';
import { contentText } from '../protocol/registry/registryText';
import { wireOptional } from '../protocol/wire';
import { t } from '../safety/localize';
import { addressOrigin } from '../client/address';

const text = wireOptional(z.string());
const texts = z.array(z.string()).catch([]);
const number = wireOptional(z.number());

/** A pack may claim hundreds of node types: these are enough for a sentence. */
const mostClaims = 10;

export const packCard = z.object({
  id: z.string().min(1),
  name: z.string(),
  publisher: text,
  publisherId: text,
  description: text,
  version: text,
  /** Milliseconds since the epoch. */
  releasedAt: number,
  downloads: number,
  githubStars: number,
  /** Mean of the reviews, 1 to 5. */
  rating: number,
  os: texts,
  accelerators: texts,
  comfyuiVersion: text,
  frontendVersion: text,
  license: text,
  category: text,
  tags: texts,
  dependencies: texts,
  /** Milliseconds since the epoch. */
  createdAt: number,
  deprecated: z.boolean().catch(false),
  repository: text,
  warnings: texts,
  withdrawn: wireOptional(z.literal(true)),
});

export type PackCard = Readonly<z.infer<typeof packCard>>;

/** The card of a pack. `askedFor` is the requested id, for records without an id. */
export function readPackCard(pack: RegistryNode, askedFor?: string): PackCard | undefined {
  const id = pack.id ?? askedFor;
  if (id === undefined) return undefined;
  const { latestVersion: latest, publisher } = pack;
  return {
    id,
    name: oneLine(pack.name) ?? id,
    publisher: oneLine(publisher?.name ?? publisher?.id ?? pack.author),
    publisherId: publisher?.id,
    description: pack.description,
    version: oneLine(latest?.version),
    releasedAt: latest?.createdAt,
    downloads: pack.downloads,
    githubStars: pack.githubStars,
    rating: packRating(pack),
    os: filled(pack.supportedOs, latest?.supportedOs),
    accelerators: filled(pack.supportedAccelerators, latest?.supportedAccelerators),
    comfyuiVersion: pack.supportedComfyuiVersion ?? latest?.supportedComfyuiVersion,
    frontendVersion: pack.supportedFrontendVersion ?? latest?.supportedFrontendVersion,
    license: licenseOf(pack.license),
    category: oneLine(pack.category),
    tags: filled(pack.tags),
    dependencies: filled(latest?.dependencies),
    createdAt: pack.createdAt,
    deprecated: latest?.deprecated ?? false,
    repository: httpsAddress(pack.repository),
    warnings: packWarnings(pack),
    ...(!isInstallable(pack) && { withdrawn: true }),
  };
}

/** Mean of the reviews; 0 is the registry's value for no reviews. */
export function packRating({ rating }: RegistryNode): number | undefined {
  return rating === undefined || !(rating >= 1 && rating <= 5) ? undefined : rating;
}

/** Reasons not to install a pack, worst first (protocol 6.2). */
function packWarnings(pack: RegistryNode): string[] {
  const { status, latestVersion, tagsAdmin, publisher, preemptedClassTypes } = pack;
  return [
    ...stateWarning(t`pack`, status),
    ...stateWarning(t`publisher`, publisher?.status),
    ...stateWarning(t`latest version`, latestVersion?.status, latestVersion?.statusReason),
    ...markWarning(tagsAdmin, latestVersion?.tagsAdmin),
    ...deprecationWarning(t`latest version`, latestVersion),
    ...claimWarning(preemptedClassTypes),
  ];
}

export function versionWarnings(version: RegistryNodeVersion): string[] {
  return [
    ...stateWarning(t`version`, version.status, version.statusReason),
    ...markWarning(version.tagsAdmin),
    ...deprecationWarning(t`version`, version),
  ];
}

function deprecationWarning(what: string, version: RegistryNodeVersion | undefined): string[] {
  return version?.deprecated ? [t`The ${what} is deprecated. Look for a replacement.`] : [];
}

/** The registry's note about a version that it offers; not a reason against it. */
export function versionNote({ status, statusReason }: RegistryNodeVersion): string | undefined {
  if (statusReason === undefined || stateSentence('', status).length > 0) return undefined;
  const words = reasonWords(statusReason);
  return words === undefined ? undefined : t`The registry notes: ${words}`;
}

function stateWarning(what: string, state: string | undefined, reason?: string): string[] {
  const words = reason === undefined ? undefined : reasonWords(reason);
  const sentences = stateSentence(what, state);
  if (words === undefined) return sentences;
  return sentences.map((sentence) => `${sentence} ${t`Reason: ${words}`}`);
}

function stateSentence(what: string, state: string | undefined): string[] {
  switch (state) {
    case undefined:
    case 'active':
      return [];
    case 'banned':
      return [t`The registry has banned the ${what}. Don't install it.`];
    case 'deleted':
      return [t`The ${what} has been deleted from the registry.`];
    case 'flagged':
      return [t`The registry has flagged the ${what} as a risk. Review its source before you install it.`];
    case 'pending':
      return [t`The ${what} is still waiting for the registry's review.`];
    default:
      return [t`Registry status of the ${what}: “${oneLine(state) ?? ''}”.`];
  }
}

function markWarning(...tags: readonly (readonly string[] | undefined)[]): string[] {
  const marks = [...new Set(tags.flatMap((list) => filled(list)))].map(oneLine);
  return marks.length === 0 ? [] : [t`Marked by the registry's moderators: ${marks.join(', ')}.`];
}

function claimWarning(classTypes: readonly string[] | undefined): string[] {
  const names = [...new Set(filled(classTypes))].map(oneLine).slice(0, mostClaims);
  return names.length === 0
    ? []
    : [t`It declares node types that other packs may also provide: ${names.join(', ')}.`];
}

/** Licences are a name, or the JSON of a project file: `{"text": "MIT"}`, `{"file": "LICENSE"}`. */
function licenseOf(license: string | undefined): string | undefined {
  const parts = license === undefined ? null : /^\{\s*"(text|file)"\s*:\s*"([^"\\]*)"\s*\}$/.exec(license);
  const words = oneLine(parts ? parts[2] : license)?.slice(0, 100);
  if (words === undefined) return undefined;
  const isFile = parts?.[1] === 'file' || licenseFile.test(words);
  return isFile ? t`see the file ${words} of the pack` : words;
}

/** `LICENSE`, `LICENCE.txt`, `docs/COPYING`: a path instead of a name. */
const licenseFile = /^(?:[\w.-]+\/)*(?:LICEN[CS]E|COPYING)[\w.-]*$/i;

export function httpsAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
}

/** The first of two lists, unless it is missing or empty. */
function filled(list: readonly string[] | undefined, other?: readonly string[]): string[] {
  return [...(list?.length ? list : (other ?? []))];
}

function oneLine(words: string | undefined): string | undefined {
  const line = words?.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

/** Long reasons are scanner reports: their beginning says what they are about. */
const longest = 300;

function reasonWords(reason: string): string | undefined {
  const words = oneLine(parsed(reason));
  return words !== undefined && words.length > longest ? `${words.slice(0, longest - 1)}…` : words;
}

function parsed(reason: string): string {
  if (!/^\s*[[{]/.test(reason)) return reason;
  try {
    return contentText(JSON.parse(reason));
  } catch {
    return reason;
  }
}

export function isInstallable({ status, publisher }: Pick<RegistryNode, 'status' | 'publisher'>): boolean {
  return ![status, publisher?.status].some(isWithdrawn);
}

export function installableVersions(versions: readonly RegistryNodeVersion[]): RegistryNodeVersion[] {
  return versions.filter(({ version, status }) => version !== undefined && !isWithdrawn(status));
}

function isWithdrawn(status: string | undefined): boolean {
  return status === 'banned' || status === 'deleted';
}

/** Whether two registries mean the same by a version; undefined if one lacks it, or its ID and download address. */
export function isSamePackVersion(
  ours: RegistryNodeVersion,
  theirs: readonly RegistryNodeVersion[] | undefined,
): boolean | undefined {
  if (ours.version === undefined || !theirs) return undefined;
  const verdicts = theirs
    .filter(({ version }) => version === ours.version)
    .map((each) => agreement(ours.id, each.id) ?? agreement(ours.downloadUrl, each.downloadUrl));
  if (verdicts.includes(false)) return false;
  return verdicts.includes(true) ? true : undefined;
}

function agreement(one: string | undefined, other: string | undefined): boolean | undefined {
  return one === undefined || other === undefined ? undefined : one === other;
}

const registryOrigin = 'https://api.comfy.org';
const pages = 'https://registry.comfy.org';

/** A pack's page at the public registry (protocol 6.2), else its repository: other registries have no known pages. */
export function packAddress(
  { id, publisherId, repository }: Pick<PackCard, 'id' | 'publisherId' | 'repository'>,
  baseUrl: string,
): string | undefined {
  if (addressOrigin(baseUrl) !== registryOrigin || publisherId === undefined) return repository;
  return `${pages}/${encodeURIComponent(publisherId)}/${encodeURIComponent(id)}`;
}

/** A pack with its texts in a language such as `zh-cn`, or else in another variety of it, if the registry has them. */
export function translatePack(pack: RegistryNode, language: string): RegistryNode {
  if (!pack.translations) return pack;
  const languages = Object.entries(pack.translations);
  const wanted = language.toLowerCase();
  const [, words] =
    languages.find(([name]) => name.toLowerCase() === wanted) ??
    languages.find(([name]) => baseOf(name) === baseOf(wanted)) ??
    [];
  if (!words) return pack;
  const { name, description, author, category, license, status_detail: statusDetail, tags, ...more } = words;
  return {
    ...pack,
    name: name ?? pack.name,
    description: description ?? pack.description,
    author: author ?? pack.author,
    category: category ?? pack.category,
    license: license ?? pack.license,
    statusDetail: statusDetail ?? pack.statusDetail,
    tags: tags?.split(', ') ?? pack.tags,
    moreWords: more,
  };
}

function baseOf(language: string): string | undefined {
  return language.toLowerCase().split(/[-_]/)[0];
}
