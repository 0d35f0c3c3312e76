import { describe, expect, it } from 'vitest';
import { cardOf } from '../../../../src/core/client/registry/packCard';
import { registryNode, registryVersions } from '../../../../src/core/protocol/registry/registryNode';
import { createHash } from 'node:crypto';
import { keptPack, noticeHtml, packHtml } from '../../../../src/host/registry/packHtml';
import { sandboxPacks } from '../../../../src/sandbox/registry/packs';

const look = { cspSource: 'https://csp.example.org', style: 'https://csp.example.org/pack.css' };

function page(record: object, versions: readonly object[] = []): string {
  const pack = registryNode.parse({ id: 'a-pack', ...record });
  const card = cardOf(pack);
  if (!card) throw new Error('no card');
  const links = { review: 'command:review?%5B%22a-pack%22%5D', web: card.repository };
  return packHtml(
    { card, pack, versions: registryVersions.parse(versions), links, registry: 'https://r.example.org' },
    look,
  );
}

describe('the page of a pack', () => {
  it('takes all words of the registry for text', () => {
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
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target ?? '');
    expect(
      targets.every((target) => /^(https:\/\/(csp\.)?example\.org\/|command:review\?)/.test(target)),
    ).toBe(true);
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

  it('leaves its pack to the next window, and takes no other state for one', () => {
    expect(page({ id: 'a"pack' })).toContain('<body data-pack="a&#34;pack">');
    expect(keptPack({ pack: 'a-pack' })).toBe('a-pack');
    for (const other of [undefined, null, 'a-pack', {}, { pack: '' }, { pack: 3 }]) {
      expect(keptPack(other)).toBeUndefined();
    }
  });

  it('says why it could not be read, and how to try again', () => {
    const notice = { id: 'a-pack', name: '<A>', message: 'No answer.', advice: 'Wait.', again: 'command:x' };
    const html = noticeHtml(notice, look);
    expect(html).toMatch(/No answer\..*Wait\..*href="command:x">Try Again/s);
    expect(html).toContain('<body data-pack="a-pack">');
    expect(html).not.toContain('<A>');
  });
});
