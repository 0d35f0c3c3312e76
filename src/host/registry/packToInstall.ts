import { plainText } from '../../core/safety/plainText';
import { t } from '../../core/safety/localize';
import type { InstallTarget } from './installTarget';
import {
  installableVersions,
  isInstallable,
  readPackCard,
  type PackCard,
  versionWarnings,
  isSamePackVersion,
} from '../../core/registry/packCard';
import type { RegistryNodeVersion } from '../../core/protocol/registry/registryNode';
import { type Shown, shown, shownList } from '../../core/safety/shownText';
import { settings } from '../platform/contributions';
import { askModalQuestion, pickOne } from '../platform/show';
import { UserProblem } from '../platform/problems';
import type { Registry } from './registries';
import { askingRegistry, noSuchPack } from './registryProblem';

/** A pack as the registry has it now, with its installable versions, newest first. */
export interface PackToInstall {
  readonly card: PackCard;
  readonly versions: readonly RegistryNodeVersion[];
  readonly registry: string;
  readonly target: InstallTarget;
  /** The versions that the manager would install under the same ID; undefined if it doesn't report them. */
  readonly managerVersions: readonly RegistryNodeVersion[] | undefined;
}

/** A pack and the version that the user agreed to. */
export interface ChosenPack {
  readonly card: PackCard;
  readonly version: string;
}

/** The registry that every ComfyUI-Manager takes its packs from. */
const managerRegistry = 'https://api.comfy.org';
const mostVersions = 50;
/** Python packages listed in the question. */
const mostRequirements = 8;

/** Reads the pack again: it may have been banned since the page opened. */
export async function readPackToInstall(
  registry: Registry,
  id: string,
  target: InstallTarget,
  signal: AbortSignal,
): Promise<PackToInstall> {
  const { session, manager } = target;
  const [pack, all, managerVersions] = await Promise.all([
    askingRegistry(() => registry.client.pack(id, signal)),
    askingRegistry(() => registry.client.versions(id, signal)),
    session.nodeManager.versions(manager, id, signal),
  ]);
  const card = pack && readPackCard(pack, id);
  // Versions and warnings were requested for this ID: another pack's don't apply.
  if (!pack || card?.id !== id) throw noSuchPack(id);
  const versions = installableVersions(all);
  if (!isInstallable(pack) || versions.length === 0) {
    throw new UserProblem(
      shown`${card.name} can't be installed, because the registry has withdrawn it.`,
      shown`${card.warnings[0] ?? t`It has no version that can be installed.`}`,
    );
  }
  return { card, versions, registry: registry.origin, target, managerVersions };
}

/** Asks with everything that will run and where; returns the version that the user agreed to. */
export async function confirmInstall(found: PackToInstall): Promise<ChosenPack | undefined> {
  const { card, versions, target } = found;
  let [version] = versions;
  while (version?.version !== undefined) {
    requireSamePack(found, version);
    const install = { label: shown`Install` };
    const others = { label: shown`Other Version…` };
    const answer = await askModalQuestion(
      {
        message: shown`Install ${card.id} ${version.version} on ${target.session.server.name}?`,
        detail: installDetail(found, version),
      },
      ...(versions.length > 1 ? [install, others] : [install]),
    );
    if (answer === install) return { card, version: version.version };
    if (answer !== others) return undefined;
    version = await chooseVersion(card, versions);
  }
  return undefined;
}

/** The facts a user must know before other people's code runs on their machine. */
function installDetail(found: PackToInstall, version: RegistryNodeVersion): Shown {
  const { card, registry } = found;
  const { session, manager } = found.target;
  const warnings = [
    ...new Set([...card.warnings, ...versionWarnings(version), ...sourceWarning(found, version)]),
  ];
  const warned = warnings
    .map((each) => shown`⚠ ${short(each)}\n`)
    .reduce((all, each) => shown`${all}${each}`, shown``);
  const requirements = version.dependencies ?? [];
  const packages = shown`the Python packages it requires`;
  const python =
    requirements.length === 0
      ? packages
      : shown`${packages} (${shownList(requirements.map(short), mostRequirements)})`;
  return shown`Pack: ${short(card.id)} ${short(version.version ?? '')} (${short(card.name)})\nPublisher: ${short(card.publisher ?? t`not named`)}\nSource: ${short(card.repository ?? t`not named`)}\nRegistry: ${registry}\nServer: ${session.server.url}\n\n${warned}ComfyUI-Manager ${manager.version} on that server will download the pack, install ${python}, and run its install script. After the next restart, the server runs the pack's code. All of this has the same rights as the server. Install only what you trust.`;
}

/** If the manager means another pack by the same name, everything in the question would be about the wrong one. */
function requireSamePack(
  { card, registry, target, managerVersions }: PackToInstall,
  version: RegistryNodeVersion,
): void {
  if (isSamePackVersion(version, managerVersions) !== false) return;
  throw new UserProblem(
    shown`${card.id} ${version.version ?? ''} wasn't installed, because ComfyUI-Manager on ${target.session.server.name} would install something different from ${registry}.`,
    shown`Set the registry that ComfyUI-Manager uses in the ${settings.registry} setting.`,
  );
}

/** Publisher and source are what our registry says; the manager has a registry of its own (protocol 9.3). */
function sourceWarning(
  { registry, managerVersions }: PackToInstall,
  version: RegistryNodeVersion,
): readonly string[] {
  if (registry === managerRegistry || isSamePackVersion(version, managerVersions) === true) return [];
  return [
    t`ComfyUI-Manager installs packs from its own registry, ${managerRegistry}, not from ${registry}. Publisher, source, and Python packages may differ.`,
  ];
}

async function chooseVersion(
  { name }: PackCard,
  versions: readonly RegistryNodeVersion[],
): Promise<RegistryNodeVersion | undefined> {
  const rows = versions.slice(0, mostVersions).map((version) => ({
    version,
    label: shown`${version.version ?? ''}`,
    detail: shown`${versionWarnings(version).join(' ')}`,
  }));
  const chosen = await pickOne(rows, { title: shown`Install ${name}`, placeHolder: shown`Select a version` });
  return chosen?.version;
}

/** Registry text, shortened so that it can't push important parts out of the question. */
function short(words: string): string {
  return plainText(words, 'one line', 200);
}
