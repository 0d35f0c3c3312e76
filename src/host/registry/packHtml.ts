import { httpsAddress, type PackCard, versionWarnings } from '../../core/client/registry/packCard';
import { packFacts } from '../../core/client/registry/packWords';
import type { PackLinks } from '../../core/client/registry/packHover';
import type { RegistryNode, RegistryNodeVersion } from '../../core/protocol/registry/registryNode';

export interface PackPage {
  readonly card: PackCard;
  readonly pack: RegistryNode;
  readonly versions: readonly RegistryNodeVersion[];
  readonly links: Pick<PackLinks, 'review' | 'web'>;
  readonly registry: string;
}

const mostVersions = 30;

/**
 * The page of a pack. It runs no script and loads nothing but our own style; all words of the registry are text, and
 * only https addresses are links.
 */
export function packHtml(
  page: PackPage,
  look: { readonly cspSource: string; readonly style: string },
): string {
  const { card, pack, versions, links, registry } = page;
  const policy = `default-src 'none'; style-src ${look.cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(card.name)}</title>
    <link rel="stylesheet" href="${escapeHtml(look.style)}" />
  </head>
  <body>
    <main>
      <h1>${escapeHtml(card.name)}</h1>
      <p class="by">${escapeHtml([card.publisher === undefined ? '' : `by ${card.publisher}`, card.id].filter(Boolean).join(' · '))}</p>
      ${card.warnings.map((warning) => `<p class="warning"><span aria-hidden="true">⚠</span> <strong>${escapeHtml(warning)}</strong></p>`).join('\n      ')}
      ${words('status', card.warnings.length > 0 ? pack.statusDetail : undefined)}
      <nav aria-label="Actions">
        <a class="button" href="${escapeHtml(links.review)}">Review…</a>
        ${card.repository === links.web ? '' : link(links.web, 'Open on the Web', 'button secondary')}
        ${link(card.repository, 'Repository', 'button secondary')}
      </nav>
      ${words('description', card.description)}
      ${facts(card)}
      ${versionTable(versions)}
      ${publisherPart(pack)}
    </main>
    <footer>From the node registry at ${escapeHtml(registry)}.</footer>
  </body>
</html>
`;
}

/** Text for HTML, also inside of attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

function words(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<p class="${name}">${escapeHtml(text)}</p>`;
}

function link(address: string | undefined, label: string, look = ''): string {
  const href = httpsAddress(address);
  if (href === undefined) return '';
  return `<a${look === '' ? '' : ` class="${look}"`} href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;
}

function facts(card: PackCard): string {
  const rows = packFacts(card).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
}

function versionTable(versions: readonly RegistryNodeVersion[]): string {
  if (versions.length === 0) return '';
  const rows = versions.slice(0, mostVersions).map((version) => {
    const date =
      version.createdAt === undefined ? '' : new Date(version.createdAt).toISOString().slice(0, 10);
    const notes = [...versionWarnings(version), version.changelog ?? ''].filter(Boolean).join(' ');
    return `<tr><th scope="row">${escapeHtml(version.version ?? '?')}</th><td>${date}</td><td>${escapeHtml(notes)}</td></tr>`;
  });
  const rest = versions.length - rows.length;
  const more = rest > 0 ? `<p>… and ${rest} older</p>` : '';
  const head = '<tr><th scope="col">Version</th><th scope="col">Date</th><th scope="col">Notes</th></tr>';
  return `<h2>Versions</h2><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>${more}`;
}

function publisherPart({ publisher, author }: RegistryNode): string {
  if (!publisher) return words('author', author === undefined ? undefined : `Author: ${author}`);
  const members = (publisher.members ?? []).flatMap(({ user }) => user?.name ?? []);
  const links = [link(publisher.website, 'Website'), link(publisher.sourceCodeRepo, 'Source code')].filter(
    (part) => part !== '',
  );
  const parts = [
    words('about', publisher.description),
    members.length === 0 ? '' : words('members', `Members: ${members.join(', ')}`),
    links.length === 0 ? '' : `<p>${links.join(' · ')}</p>`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `<h2>Publisher</h2>${parts.join('')}`;
}
