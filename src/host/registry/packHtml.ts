import { createHash } from 'node:crypto';
import {
  httpsAddress,
  type PackCard,
  versionNote,
  versionWarnings,
  isInstallable,
} from '../../core/registry/packCard';
import { installLine } from '../../core/client/nodeManager/installLine';
import { startOfSentence } from '../../core/safety/endSentence';
import { escapeHtml } from '../../core/safety/escapeMarkdown';
import { plainText } from '../../core/safety/plainText';
import { displayLanguage, t } from '../../core/safety/localize';
import { dayText } from '../../core/safety/timeText';
import { fictionalPack, neededWords, packFacts } from './packWords';
import type { PackLinks } from './packHover';
import { isRecord } from '../../core/protocol/wire';
import type { RegistryNode, RegistryNodeVersion } from '../../core/protocol/registry/registryNode';

export interface PackPage {
  readonly card: PackCard;
  readonly pack: RegistryNode;
  readonly versions: readonly RegistryNodeVersion[];
  readonly links: Pick<PackLinks, 'review' | 'web' | 'copyInstall'>;
  readonly registry: string;
  readonly isPractice: boolean;
  /** Its banner or icon, as a `data:` address. */
  readonly picture?: string | undefined;
  /** The server that can install it; undefined: none. */
  readonly installer?: PackInstaller | undefined;
}

/** The installer of a pack, and the command for it. */
export interface PackInstaller {
  readonly server: string;
  readonly link: string;
}

/** The parts of a page that the webview provides. */
export interface PackLook {
  readonly cspSource: string;
  readonly style: string;
}

const mostVersions = 30;
const mostWords = 50;

/** Stores the pack's ID with VS Code, which returns it when the window reloads. */
const keepPack = 'acquireVsCodeApi().setState({ pack: document.body.dataset.pack });';

/** The page's only script, allowed by its hash: anything else in the page would not run. */
const keepPackHash = createHash('sha256').update(keepPack).digest('base64');

/** The ID that a page stored with VS Code; undefined for anything else. */
export function keptPack(state: unknown): string | undefined {
  const id = isRecord(state) ? state['pack'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The page of a pack. Everything from the registry is text, and only https addresses are links. */
export function packHtml(page: PackPage, look: PackLook): string {
  const { card, pack, versions, links, picture } = page;
  const parts = [
    picture === undefined ? '' : `<img class="picture" alt="" src="${escapeHtml(picture)}" />`,
    `<h1>${escapeHtml(card.name)}</h1>`,
    words(
      'by',
      [card.publisher === undefined ? '' : t`by ${card.publisher}`, card.id].filter(Boolean).join(' · '),
    ),
    ...card.warnings.map(warningPart),
    words('status', pack.statusDetail && t`The registry notes: ${pack.statusDetail}`),
    words('status', pack.latestVersion && versionNote(pack.latestVersion)),
    actions([
      `<a class="button" href="${escapeHtml(links.review)}">${escapeHtml(t`Review…`)}</a>`,
      card.repository === links.web ? '' : link(links.web, t`Open on the Web`, 'button secondary'),
      link(card.repository, t`Repository`, 'button secondary'),
    ]),
    words('description', card.description),
    facts([...packFacts(card), ...moreWords(pack)]),
    installPart(page),
    versionTable(versions),
    publisherPart(pack),
  ];
  return wholePage(card, look, [practicePart(page), ...parts, footer(page)], picture && '; img-src data:');
}

/** A fictional pack must not look like an available one. */
function practicePart({ isPractice }: PackPage): string {
  return isPractice ? words('practice', fictionalPack()) : '';
}

function footer({ isPractice, registry }: PackPage): string {
  return isPractice ? '' : `<footer>${escapeHtml(t`From the node registry at ${registry}.`)}</footer>`;
}

/** A page that could not be loaded: why, and a button to retry. */
export function noticeHtml(
  notice: {
    readonly id: string;
    readonly name: string;
    readonly message: string;
    readonly advice: string;
    readonly again: string;
  },
  look: PackLook,
): string {
  const { name, id, message, advice, again } = notice;
  return wholePage(notice, look, [
    `<h1>${escapeHtml(name)}</h1>`,
    words('by', id),
    warningPart(message),
    words('about', advice),
    actions([`<a class="button" href="${escapeHtml(again)}">${escapeHtml(t`Try Again`)}</a>`]),
  ]);
}

function wholePage(
  { id, name }: Pick<PackCard, 'id' | 'name'>,
  look: PackLook,
  parts: readonly string[],
  allowed = '',
): string {
  const policy = `default-src 'none'; style-src ${look.cspSource}; script-src 'sha256-${keepPackHash}'${allowed}`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(displayLanguage())}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(name)}</title>
    <link rel="stylesheet" href="${escapeHtml(look.style)}" />
  </head>
  <body data-pack="${escapeHtml(id)}">
    <main>
      ${parts.filter((part) => part !== '').join('\n      ')}
    </main>
    <script>${keepPack}</script>
  </body>
</html>
`;
}

function warningPart(text: string): string {
  return `<p class="warning"><span aria-hidden="true">⚠</span> <strong>${escapeHtml(text)}</strong></p>`;
}

function actions(links: readonly string[]): string {
  return `<nav aria-label="${escapeHtml(t`Actions`)}">${links.filter((part) => part !== '').join(' ')}</nav>`;
}

function heading(text: string): string {
  return `<h2>${escapeHtml(text)}</h2>`;
}

function words(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<p class="${name}">${escapeHtml(text)}</p>`;
}

function link(address: string | undefined, label: string, look = ''): string {
  const href = httpsAddress(address);
  if (href === undefined) return '';
  return `<a${look === '' ? '' : ` class="${look}"`} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;
}

function moreWords({ moreWords: more = {} }: RegistryNode): (readonly [string, string])[] {
  const entries = Object.entries(more).slice(0, mostWords);
  return entries.flatMap(([name, text]) => (text === undefined ? [] : [[plainText(name), text] as const]));
}

function facts(list: readonly (readonly [string, string])[]): string {
  const rows = list.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
}

/** How to install the pack. What the registry has withdrawn can't be installed. */
function installPart({ card, pack, links, isPractice, installer }: PackPage): string {
  const line = isInstallable(pack) && !isPractice ? installLine(card.id) : undefined;
  if (line === undefined) return '';
  const button =
    installer === undefined
      ? ''
      : `<p><a class="button" href="${escapeHtml(installer.link)}">${escapeHtml(t`Install…`)}</a> ${escapeHtml(t`on ${installer.server} with ComfyUI-Manager, or:`)}</p>`;
  const copy = `<a class="button secondary" href="${escapeHtml(links.copyInstall)}">${escapeHtml(t`Copy`)}</a>`;
  return [
    heading(t`Install`),
    button,
    `<p>${escapeHtml(t`Run this with comfy-cli on the server's machine, then restart the server:`)}</p>`,
    `<p class="install"><code>${escapeHtml(line)}</code> ${copy}</p>`,
  ].join('');
}

function versionTable(versions: readonly RegistryNodeVersion[]): string {
  if (versions.length === 0) return '';
  const rows = versions.slice(0, mostVersions).map(versionRow);
  const rest = versions.length - rows.length;
  const more = rest > 0 ? `<p>${escapeHtml(t`… and ${rest} older`)}</p>` : '';
  const head = [startOfSentence(t`version`), t`Date`, t`Runs on`, t`Notes`]
    .map((name) => `<th scope="col">${escapeHtml(name)}</th>`)
    .join('');
  return `${heading(t`Versions`)}<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>${more}`;
}

function versionRow(version: RegistryNodeVersion): string {
  const date = version.createdAt === undefined ? '' : dayText(version.createdAt);
  const needs = neededWords({
    comfyuiVersion: version.supportedComfyuiVersion,
    frontendVersion: version.supportedFrontendVersion,
  });
  const runsOn = [
    version.supportedOs?.join(', '),
    version.supportedAccelerators?.join(', '),
    ...needs,
  ].filter(Boolean);
  const tags = version.tags && version.tags.length > 0 ? t`Tags: ${version.tags.join(', ')}.` : undefined;
  const noted = [...versionWarnings(version), versionNote(version), version.changelog, tags];
  const notes = noted.filter(Boolean).join(' ');
  return [
    `<tr><th scope="row">${escapeHtml(version.version ?? '?')}</th>`,
    `<td>${date}</td>`,
    `<td>${escapeHtml(runsOn.join(' · '))}</td>`,
    `<td>${escapeHtml(notes)}${dependencies(version.dependencies)}</td></tr>`,
  ].join('');
}

function dependencies(names: readonly string[] = []): string {
  if (names.length === 0) return '';
  const summary = `${t`Python packages`} (${names.length})`;
  return `<details><summary>${escapeHtml(summary)}</summary>${escapeHtml(names.join(', '))}</details>`;
}

function publisherPart({ publisher, author }: RegistryNode): string {
  const authorPart = words('author', author === undefined ? undefined : t`Author: ${author}`);
  if (!publisher) return authorPart;
  const members = (publisher.members ?? []).flatMap(({ user, role }) => {
    const name = user?.name ?? [];
    return role === undefined || user?.name === undefined ? name : t`${user.name} (${role})`;
  });
  const { website, support, sourceCodeRepo } = publisher;
  const helps = link(support, t`Support`);
  const links = [link(website, t`Website`), helps, link(sourceCodeRepo, t`Source code`)].filter(
    (part) => part !== '',
  );
  const parts = [
    authorPart,
    words('about', publisher.description),
    members.length === 0 ? '' : words('members', t`Members: ${members.join(', ')}`),
    // Some contain text instead of an address.
    words('support', support === undefined || helps !== '' ? undefined : t`Support: ${support}`),
    links.length === 0 ? '' : `<p>${links.join(' · ')}</p>`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${heading(startOfSentence(t`publisher`))}${parts.join('')}`;
}
