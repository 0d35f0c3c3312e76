import { describe, expect, it } from 'vitest';
import { readPackCard, translatePack } from '../../../../src/core/registry/packCard';
import { registryNode, registryVersions } from '../../../../src/core/protocol/registry/registryNode';
import { createHash } from 'node:crypto';
import { keptPack, noticeHtml, packHtml, type PackPage } from '../../../../src/host/registry/packHtml';
import { sandboxPacks } from '../../../../src/sandbox/registry/packStore';

const look = { cspSource: 'https://csp.example.org', style: 'https://csp.example.org/pack.css' };

const installer = { server: 'My "<b>" Server', link: 'command:install?%5B%22a-pack%22%5D' };

function page(
  record: object,
  versions: readonly object[] = [],
  isPractice = false,
  offers: Partial<PackPage> = {},
): string {
  const pack = registryNode.parse({ id: 'a-pack', ...record });
  const card = readPackCard(pack);
  if (!card) throw new Error('no card');
  const review = 'command:review?%5B%22a-pack%22%5D';
  const links = { review, copyInstall: 'command:copy', web: card.repository };
  const known = { card, pack, versions: registryVersions.parse(versions), links };
  return packHtml({ ...known, registry: 'https://r.example.org', isPractice, ...offers }, look);
}

function expectAll(html: string, ...texts: readonly string[]): void {
  for (const text of texts) expect(html).toContain(text);
}

describe('the page of a pack', () => {
  it('shows everything from the registry as text', () => {
    const evil = `"><script>alert(1)</script><a href='command:evil'>x</a>`;
    const html = page(
      {
        name: evil,
        description: evil,
        license: evil,
        author: evil,
        supported_os: [evil],
        repository: `https://example.org/${evil}`,
        tags_admin: [evil],
        status_detail: evil,
        publisher: {
          name: evil,
          description: evil,
          website: 'javascript:alert(1)',
          members: [{ user: { name: evil } }],
        },
      },
      [{ version: evil, changelog: evil }],
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/href='|javascript:/);
    for (const [, target] of html.matchAll(/href="([^"]*)"/g))
      expect(target).toMatch(/^(https:\/\/(csp\.)?example\.org\/|command:review\?|command:copy$)/);
  });

  it.each(sandboxPacks.map(({ id, record, versions }) => [id, record, versions] as const))(
    'of %s can be written, without an e-mail address',
    (id, record, versions) => {
      const html = page({ ...record, id, latest_version: versions[0] }, versions);
      expect(html).toContain(id);
      expect(html.replaceAll(/@\w+\//g, '')).not.toContain('@');
    },
  );

  it('runs one script and loads its own style only', () => {
    const html = page({});
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/g)].map(([, script = '']) => script);
    expect(scripts).toHaveLength(1);
    const hash = createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64');
    expect(html).toContain(
      `"default-src &#39;none&#39;; style-src https://csp.example.org; script-src &#39;sha256-${hash}&#39;"`,
    );
  });

  it('stores its pack for the next window, and ignores other states', () => {
    expect(page({ id: 'a"pack' })).toContain('<body data-pack="a&#34;pack">');
    expect(keptPack({ pack: 'a-pack' })).toBe('a-pack');
    for (const other of [undefined, null, 'a-pack', {}, { pack: '' }, { pack: 3 }]) {
      expect(keptPack(other)).toBeUndefined();
    }
  });

  it('says why it could not be loaded, and offers to retry', () => {
    const notice = { id: 'a-pack', name: '<A>', message: 'No answer.', advice: 'Wait.', again: 'command:x' };
    const html = noticeHtml(notice, look);
    expect(html).toMatch(/No answer\..*Wait\..*href="command:x">Try Again/s);
    expect(html).toContain('<body data-pack="a-pack">');
    expect(html).not.toContain('<A>');
  });

  it('offers to install on a server with a manager, and shows its name as text', () => {
    expect(page({}, [], false, { installer })).toContain(
      '<a class="button" href="command:install?%5B%22a-pack%22%5D">Install…</a> on My &#34;&#60;b&#62;&#34; Server',
    );
    expect(page({})).not.toContain('Install…');
  });

  it.each([
    ['a banned pack', { status: 'NodeStatusBanned' }],
    ['a deleted pack', { status: 'NodeStatusDeleted' }],
    ['a pack of a banned publisher', { publisher: { status: 'PublisherStatusBanned' } }],
  ])('offers no way to install %s', (_, record) => {
    const html = page(record, [], false, { installer });
    expect(html).not.toContain('Install…');
    expect(html).not.toContain('comfy node install');
  });

  it('offers no installation of a fictional pack', () => {
    expect(page({}, [], true, { installer })).not.toContain('Install…');
  });

  it('shows everything known about a version', () => {
    const needs = {
      dependencies: ['numpy>=2', 'pillow'],
      supported_os: ['Linux'],
      supported_accelerators: ['CUDA'],
      supported_comfyui_version: '>=0.3.40',
      supported_comfyui_frontend_version: '>=1.20',
    };
    const about = { createdAt: '2026-02-03T12:00:00Z', changelog: 'A wider beam.', tags: ['beta'] };
    const html = page({}, [
      { version: '2.1.0', ...about, ...needs },
      { version: '2.0.0', deprecated: true },
      { version: '1.0.0', status: 'NodeVersionStatusFlagged', status_reason: 'Runs code of others.' },
      { version: '0.9.0', tags_admin: ['copy'] },
    ]);
    const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) => row);
    expect(rows).toHaveLength(5);
    expect(rows[1]).toMatch(
      /2\.1\.0.*Feb 3, 2026.*Linux.*CUDA.*ComfyUI &#62;=0\.3\.40.*frontend &#62;=1\.20.*A wider beam\./,
    );
    expect(rows[1]).toMatch(
      /<details><summary>Python packages \(2\)<\/summary>numpy&#62;=2, pillow<\/details>/,
    );
    expect(rows[1]).toContain('beta');
    expect(rows[2]).toContain('The version is deprecated. Look for a replacement.');
    expect(rows[3]).toContain('flagged the version as a risk');
    expect(rows[3]).toContain('Reason: Runs code of others.');
    expect(rows[4]).toContain('moderators: copy.');
  });

  it('lists the latest versions and the number of older ones', () => {
    const versions = Array.from({ length: 33 }, (_, at) => ({ version: `1.0.${33 - at}` }));
    const html = page({}, versions);
    expect(html).toContain('>1.0.33<');
    expect(html).not.toContain('>1.0.3<');
    expect(html).toContain('… and 3 older');
    expect(page({})).not.toContain('Versions');
  });

  it('shows publisher, members and links', () => {
    const html = page({
      repository: 'https://example.org/source',
      publisher: {
        name: 'Harbour Nodes',
        description: 'Nodes of the sea.',
        website: 'https://example.org/site',
        support: 'https://example.org/help',
        source_code_repo: 'https://example.org/publisher',
        members: [{ user: { name: 'keeper' } }, { user: { name: 'mate' } }],
      },
    });
    expectAll(html, 'by Harbour Nodes · a-pack', 'Nodes of the sea.', 'Members: keeper, mate');
    expectAll(html, '<a href="https://example.org/site">Website</a>');
    expectAll(html, '<a href="https://example.org/help">Support</a>');
    expectAll(html, '<a href="https://example.org/publisher">Source code</a>');
    expectAll(html, 'href="https://example.org/source">Repository</a>');
    expect(html).toMatch(/href="command:review[^"]*">Review…<\/a>/);
    expect(html).toContain('From the node registry at https://r.example.org.');
  });

  it('shows an invalid support address as text, and the author if there is no publisher', () => {
    expect(page({ publisher: { support: 'the forum' } })).toContain('Support: the forum');
    expect(page({ author: 'A. Keeper' })).toContain('Author: A. Keeper');
  });

  it('shows each warning, the detail of the state and the description', () => {
    const html = page({
      status: 'NodeStatusBanned',
      status_detail: 'Ran code of others.',
      preempted_comfy_node_names: ['HarbourMask'],
      description: 'Beams and fog.',
    });
    expect(html).toMatch(/class="warning".*banned the pack\. Don&#39;t install it/);
    expect(html).toMatch(
      /class="warning".*declares node types that other packs may also provide: HarbourMask\./,
    );
    expect(html).toContain('<p class="status">The registry notes: Ran code of others.</p>');
    expect(html).toContain('<p class="description">Beams and fog.</p>');
  });

  it('shows the detail of a state, and what the registry notes about a version, without a warning', () => {
    const version = {
      version: '1.0.0',
      status: 'NodeVersionStatusActive',
      status_reason: 'Checked by hand.',
    };
    const record = { status_detail: 'Moves soon.', latest_version: version };
    const html = page(record, [{ version: '0.9', status_reason: 'Old.' }]);
    expectAll(html, '<p class="status">The registry notes: Moves soon.</p>');
    expectAll(html, '<p class="status">The registry notes: Checked by hand.</p>');
    expectAll(html, '<td>The registry notes: Old.</td>');
    expect(html).not.toContain('class="warning"');
    const flagged = { ...version, status: 'NodeVersionStatusFlagged' };
    expect(page({ latest_version: flagged })).not.toContain('The registry notes');
  });

  it('shows every translated field', () => {
    const known = {
      name: 'Leuchtturm',
      author: 'Wärter',
      tags: ['Licht', 'See'],
      status_detail: 'Zieht um.',
    };
    const usage = { first: '<b>Lampe</b>', mail: 'a@example.org' };
    const de = { ...known, license: 'MIT', category: 'Bild', usage };
    const pack = translatePack(registryNode.parse({ id: 'a-pack', translations: { de, fr: 7 } }), 'de');
    const card = readPackCard(pack);
    const html = page({}, [], false, { pack, ...(card && { card }) });
    expectAll(html, '<h1>Leuchtturm', 'Author: Wärter', '<dd>Licht, See', 'Zieht um.', '<dd>MIT', '<dd>Bild');
    expectAll(html, '<dt>usage</dt><dd>first: &#60;b&#62;Lampe');
    expect(html).not.toContain('a@example.org');
  });

  it('may show a picture from its data alone', () => {
    const html = page({}, [], false, { picture: 'data:image/png;base64,AA' });
    expect(html).toContain('<img class="picture" alt="" src="data:image/png;base64,AA" />');
    expect(html).toMatch(/default-src &#39;none&#39;;[^"]*; img-src data:"/);
  });

  it('lets you copy the install command, unless the pack should not be installed', () => {
    const html = page({});
    expect(html).toContain('<h2>Install</h2>');
    expect(html).toContain('<code>comfy node install a-pack</code>');
    expect(html).toContain('href="command:copy">Copy</a>');
    for (const record of [
      { status: 'NodeStatusBanned' },
      { status: 'NodeStatusDeleted' },
      { id: 'a pack; rm -rf' },
      { id: '--help' },
    ]) {
      expect(page(record)).not.toContain('comfy node install');
    }
  });

  it('says that a sandbox pack is fictional, without install instructions', () => {
    const html = page({}, [], true);
    expect(html).toContain('This pack is fictional: it comes from the sandbox&#39;s practice registry.');
    expect(html).not.toContain('comfy node install');
    expect(page({})).not.toContain('ractice');
  });
});
