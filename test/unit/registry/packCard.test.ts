import { describe, expect, it } from 'vitest';
import {
  packAddress,
  readPackCard,
  httpsAddress,
  translatePack,
  isSamePackVersion,
} from '../../../src/core/registry/packCard';
import { packFix, type PackAnswer } from '../../../src/core/registry/packAnswer';
import { packHover } from '../../../src/host/registry/packHover';
import { countWords, packFacts, ratingWords } from '../../../src/host/registry/packWords';
import { registryNode } from '../../../src/core/protocol/registry/registryNode';
import { PackStore } from '../../../src/sandbox/registry/packStore';
import { missingPacks } from '../../../src/core/registry/missingPacks';

/** The card of a record as sent by the registry. */
function card(record: object) {
  const made = readPackCard(registryNode.parse({ id: 'a-pack', ...record }));
  if (!made) throw new Error('no card');
  return made;
}

const links = { page: 'command:page', review: 'command:review', copyInstall: 'command:copy' };

describe('a card', () => {
  it('shows what matters for the choice', () => {
    const store = new PackStore();
    const pack = store.pack('lighthouse-nodes');
    const full = card(pack ? store.told(pack) : {});
    expect(packFacts(full)).toEqual([
      ['Latest version', '2.1.0, Feb 3, 2026'],
      ['Rating', '★★★★☆ 4.3 of 5'],
      ['Downloads', '48,210'],
      ['GitHub stars', '1,312'],
      ['Runs on', 'Linux, macOS, Windows'],
      ['Accelerators', 'CUDA, ROCm, Metal'],
      ['Requires', 'ComfyUI >=0.3.40, frontend >=1.20.0'],
      ['License', 'MIT'],
      ['Category', 'image'],
      ['Tags', 'light, sea'],
      ['Python packages', 'numpy'],
      ['Added to the registry', 'May 2, 2024'],
    ]);
    expect(full.publisher).toBe('Harbour Nodes');
    expect(card({ publisher: { id: 'harbour' } }).publisher).toBe('harbour');
    expect(full.warnings).toEqual([]);
  });

  it('shows nothing unknown', () => {
    const bare = card({});
    expect(packFacts(bare)).toEqual([]);
    expect(bare).toMatchObject({ name: 'a-pack', warnings: [], deprecated: false });
    expect(readPackCard({})).toBeUndefined();
    expect(readPackCard({}, 'asked-for')?.id).toBe('asked-for');
  });

  it.each<[object, RegExp]>([
    [{ status: 'NodeStatusBanned' }, /banned the pack/],
    [{ status: 'NodeStatusDeleted' }, /pack has been deleted/],
    [{ publisher: { status: 'PublisherStatusBanned' } }, /banned the publisher/],
    [{ latest_version: { status: 'NodeVersionStatusFlagged' } }, /flagged the latest version/],
    [{ latest_version: { status: 'NodeVersionStatusBanned' } }, /banned the latest version/],
    [{ latest_version: { status: 'NodeVersionStatusDeleted' } }, /version has been deleted/],
    [{ latest_version: { status: 'NodeVersionStatusPending' } }, /still waiting/],
    [{ latest_version: { deprecated: true } }, /deprecated/],
    [
      { preempted_comfy_node_names: ['A', 'A'] },
      /declares node types that other packs may also provide: A\./,
    ],
    [{ tags_admin: ['spam'] }, /Marked by .*: spam\./],
    [{ latest_version: { tags_admin: ['copy'] } }, /Marked by .*: copy\./],
    [{ status: 'NodeStatusSleeping' }, /“sleeping”/],
  ])('warns of %j', (record, warning) => {
    const { warnings } = card(record);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(warning);
    expect(packHover(card(record), links).markdown()).toContain('⚠');
  });

  it.each<[string, object, string]>([
    ['in words', { status_reason: 'Runs code.' }, 'Runs code.'],
    ['as JSON', { status_reason: '{"rule": "exec", "files": ["a.py", 3]}' }, 'rule: exec, files: a.py, 3'],
    ['as a long text', { status_reason: `${'x'.repeat(600)} y` }, `${'x'.repeat(299)}…`],
  ])('says why a version was flagged, %s', (_what, more, words) => {
    const flagged = { status: 'NodeVersionStatusFlagged', ...more };
    const [warning] = card({ latest_version: flagged }).warnings;
    expect(warning).toContain('flagged the latest version as a risk');
    expect(warning).toContain(`Reason: ${words}`);
  });

  it.each([
    ['LICENSE', 'see the file LICENSE of the pack'],
    ['LICENCE.txt', 'see the file LICENCE.txt of the pack'],
    ['docs/COPYING', 'see the file docs/COPYING of the pack'],
    ['GPL-3.0/MIT', 'GPL-3.0/MIT'],
    ['MIT License', 'MIT License'],
    ['MIT', 'MIT'],
    ['{"text": "Apache-2.0"}', 'Apache-2.0'],
    ['{"file": "LICENSE"}', 'see the file LICENSE of the pack'],
    ['{"odd": 1}', '{"odd": 1}'],
  ])('reads the license %s', (license, words) => expect(card({ license }).license).toBe(words));

  it('uses the systems of the latest version when the pack lists none', () => {
    const latest_version = {
      supported_os: ['Linux'],
      supported_accelerators: ['CUDA'],
      supported_comfyui_version: '>=1',
    };
    for (const empty of [{}, { supported_os: [], supported_accelerators: [''] }]) {
      expect(card({ ...empty, latest_version })).toMatchObject({
        os: ['Linux'],
        accelerators: ['CUDA'],
        comfyuiVersion: '>=1',
      });
    }
  });

  it('shows no rating without reviews', () => {
    expect(card({ rating: 0 }).rating).toBeUndefined();
    expect(card({ rating: 3 }).rating).toBe(3);
  });
});

describe('the hover', () => {
  it('shows text from the registry as text', () => {
    const evil =
      '[x](command:evil) <b>bold</b> ![p](https://example.org/p.png) https://example.org `code` $(icon)';
    const hover = packHover(card({ name: evil, description: evil, publisher: { name: evil } }), links);
    const markdown = hover.markdown();
    expect(markdown.match(/(?<!\\)\]\(/g)).toHaveLength(2);
    expect(markdown).not.toMatch(/(?<!\\)[<`]|https:\/\/|command:evil/);
    expect(markdown).toContain('[Pack page](command:page) · [Review…](command:review)');
  });

  it("marks guesses, and links to the pack's page if there is one", () => {
    const web = 'https://registry.example.org/a(b)';
    const markdown = packHover(card({}), { ...links, web }, 'maybe').markdown();
    expect(markdown).toMatch(/^Possibly in the node pack \*\*a\\-pack\*\*/);
    expect(markdown).toContain('[On the web](https://registry.example.org/a%28b%29)');
  });
});

describe('links out', () => {
  it('are https addresses only', () => {
    expect(httpsAddress('https://example.org/a b')).toBe('https://example.org/a%20b');
    for (const other of [
      'http://example.org',
      'command:x',
      'javascript:1',
      'https://a:b@example.org',
      'git@host:x',
    ])
      expect(httpsAddress(other)).toBeUndefined();
  });

  it('open the page of the public registry, or else the repository', () => {
    const pack = { id: 'a/b', publisherId: 'p q', repository: 'https://example.org/r' };
    expect(packAddress(pack, 'https://api.comfy.org')).toBe('https://registry.comfy.org/p%20q/a%2Fb');
    expect(packAddress(pack, 'http://127.0.0.1:1')).toBe('https://example.org/r');
    expect(
      packAddress({ ...pack, publisherId: undefined, repository: undefined }, 'https://api.comfy.org'),
    ).toBe(undefined);
  });
});

describe('the fix', () => {
  it('looks up what is unknown, with what the file names', () => {
    expect(packFix('X', undefined, 'hint')).toEqual({
      title: 'Find the Node Pack of “X”',
      request: { kind: 'findPack', classType: 'X', pack: 'hint' },
    });
  });

  it('opens a known pack directly', () => {
    const known = { kind: 'found', how: 'provides', card: card({ name: 'A Pack' }) } as const;
    expect(packFix('X', known)).toEqual({
      title: 'Show the Node Pack “A Pack”',
      request: { kind: 'showPack', packId: 'a-pack' },
    });
    expect(packFix('X', { ...known, how: 'maybe' })?.title).toContain('Possibly');
    const banned = { ...known, card: card({ name: 'A Pack', status: 'NodeStatusBanned' }) };
    expect(packFix('X', banned)?.title).toBe('Show the Node Pack “A Pack” (Flagged by the Registry)');
    expect(packFix('X', { kind: 'core' })).toBeUndefined();
    expect(packFix('X', { kind: 'none' })?.request).toEqual({ kind: 'searchPacks', words: 'X' });
  });
});

it('formats numbers for people', () => {
  expect([0, 999, 1000, 1234567.4].map(countWords)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([1, 4.5, 5].map(ratingWords)).toEqual(['★☆☆☆☆ 1.0 of 5', '★★★★★ 4.5 of 5', '★★★★★ 5.0 of 5']);
});

describe('a translation', () => {
  const pack = registryNode.parse({
    id: 'a-pack',
    name: 'Fog',
    description: 'Fog and horns.',
    translations: {
      de: { description: 'Nebel und Hörner.' },
      'zh-CN': { description: '雾', name: '雾包' },
      fr: { description: '' },
    },
  });

  it.each([
    ['de', 'Fog', 'Nebel und Hörner.'],
    ['de-AT', 'Fog', 'Nebel und Hörner.'],
    ['zh-cn', '雾包', '雾'],
    ['zh', '雾包', '雾'],
    ['fr', 'Fog', 'Fog and horns.'],
    ['en', 'Fog', 'Fog and horns.'],
  ])('in %s replaces the original text', (language, name, description) => {
    expect(translatePack(pack, language)).toMatchObject({ name, description });
  });
});

function found(id: string, how: 'provides' | 'maybe' = 'provides'): PackAnswer {
  const card = readPackCard({ id });
  if (!card) throw new Error('no card');
  return { kind: 'found', how, card };
}

it('what the file says takes precedence over “no pack known”', () => {
  const none: PackAnswer = { kind: 'none' };
  const { packs, named, without, core, failed } = missingPacks([
    { unknown: { classType: 'A' }, answer: found('one') },
    { unknown: { classType: 'B', pack: 'private-pack' }, answer: none },
    { unknown: { classType: 'C', pack: 'private-pack', repository: 'owner/name' }, answer: none },
    { unknown: { classType: 'D', repository: 'owner/other' }, answer: none },
    { unknown: { classType: 'E' }, answer: none },
    { unknown: { classType: 'F' }, answer: { kind: 'core' } },
  ]);
  expect(packs.map(({ card, classTypes }) => [card.id, classTypes])).toEqual([['one', ['A']]]);
  expect(named).toEqual([
    { name: 'private-pack', repository: 'owner/name', classTypes: ['B', 'C'] },
    { name: 'owner/other', repository: 'owner/other', classTypes: ['D'] },
  ]);
  expect(without).toEqual(['E']);
  expect(core).toEqual(['F']);
  expect(failed).toEqual([]);
});

it('the file takes precedence over a guess, and counts when the registry did not answer', () => {
  const error = new Error('no answer');
  const { packs, named, failed } = missingPacks([
    { unknown: { classType: 'A', pack: 'named' }, answer: found('guessed', 'maybe') },
    { unknown: { classType: 'B' }, answer: found('guessed', 'maybe') },
    { unknown: { classType: 'C', pack: 'other' }, error },
    { unknown: { classType: 'D' }, error },
  ]);
  expect(packs).toMatchObject([{ card: { id: 'guessed' }, classTypes: ['B'], isSure: false }]);
  expect(named.map(({ name }) => name)).toEqual(['named', 'other']);
  expect(failed.map(({ classType }) => classType)).toEqual(['C', 'D']);
});

const ours = { id: 'a1', version: '1.4.2', downloadUrl: 'https://cdn.example.org/masks.zip' };

describe('one version in two registries', () => {
  it.each([
    ['the same ID', { id: 'a1', version: '1.4.2' }, true],
    ['another ID', { id: 'b2', version: '1.4.2', downloadUrl: ours.downloadUrl }, false],
    ['the same address', { version: '1.4.2', downloadUrl: ours.downloadUrl }, true],
    ['another address', { version: '1.4.2', downloadUrl: 'https://cdn.example.net/masks.zip' }, false],
    ['another mirror and the same ID', { ...ours, downloadUrl: 'https://cdn.example.net/x.zip' }, true],
    ['neither', { version: '1.4.2' }, undefined],
  ])('with %s is the same: %s', (_, theirs, same) => {
    expect(isSamePackVersion(ours, [{ id: 'a0', version: '1.4.1' }, theirs])).toBe(same);
  });

  it('is not known where the other registry does not list it, or is not told', () => {
    expect(isSamePackVersion(ours, [{ id: 'a1', version: '1.4.1' }])).toBeUndefined();
    expect(isSamePackVersion(ours, undefined)).toBeUndefined();
    expect(isSamePackVersion({}, [{}])).toBeUndefined();
  });

  it('is another one as soon as the other registry lists it twice and once differently', () => {
    expect(isSamePackVersion(ours, [ours, { id: 'b2', version: '1.4.2' }])).toBe(false);
  });
});
