import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  registryNode,
  registryPage,
  registryVersions,
} from '../../../../src/core/protocol/registry/registryNode';
import { withoutEmails } from '../../../../src/core/protocol/registry/registryText';

const whole = {
  id: 'a-pack',
  name: 'A Pack',
  description: 'Does things.',
  tags: ['one', 'two'],
  tags_admin: ['spam'],
  supported_os: ['Linux'],
  supported_accelerators: 'CUDA',
  rating: 4.5,
  downloads: 12,
  github_stars: 3,
  status: 'NodeStatusActive',
  created_at: '2024-05-02T10:00:00Z',
  search_ranking: 2,
  preempted_comfy_node_names: ['Name'],
  latest_version: {
    version: '1.2.3',
    createdAt: '2025-01-01T00:00:00Z',
    status: 'NodeVersionStatusFlagged',
    deprecated: true,
  },
  publisher: {
    id: 'p',
    status: 'PublisherStatusBanned',
    created_at: '2023-01-01T00:00:00Z',
    members: [{ id: 'm', role: 'owner', user: { id: 'u', name: 'a-name', email: 'someone@example.org' } }],
  },
};

describe('a record of the registry', () => {
  it('is read completely, with both spellings of dates', () => {
    expect(registryNode.parse(whole)).toMatchObject({
      id: 'a-pack',
      tagsAdmin: ['spam'],
      supportedAccelerators: ['CUDA'],
      status: 'active',
      createdAt: Date.UTC(2024, 4, 2, 10),
      searchRanking: 2,
      preemptedClassTypes: ['Name'],
      latestVersion: {
        version: '1.2.3',
        status: 'flagged',
        deprecated: true,
        createdAt: Date.UTC(2025, 0, 1),
      },
      publisher: { status: 'banned', createdAt: Date.UTC(2023, 0, 1) },
    });
  });

  it('accepts the other spelling of each date', () => {
    const { created_at, ...rest } = whole;
    const other = registryNode.parse({
      ...rest,
      createdAt: created_at,
      latest_version: { created_at },
      publisher: { createdAt: created_at },
    });
    const at = Date.parse(created_at);
    expect([other.createdAt, other.latestVersion?.createdAt, other.publisher?.createdAt]).toEqual([
      at,
      at,
      at,
    ]);
  });

  it('never contains an e-mail address, wherever there was one', () => {
    const everywhere = {
      ...whole,
      author: 'someone@example.org',
      description: 'Write to Some.One+x@mail.example.org or söme@bücher.example.',
      translations: { de: { description: 'An someone@example.org' } },
      publisher: { ...whole.publisher, support: 'mailto:someone@example.org', name: 'someone@example.org' },
    };
    const read = registryNode.parse(everywhere);
    expect(JSON.stringify(read)).not.toContain('@');
    expect(read.author).toBeUndefined();
    expect(read.publisher?.members).toEqual([{ id: 'm', role: 'owner', user: { id: 'u', name: 'a-name' } }]);
    expect(read.description).toBe('Write to (email hidden) or (email hidden).');
  });

  it('keeps no part of an e-mail address when a long text is shortened', () => {
    for (let before = 19_970; before <= 20_000; before++) {
      const { description = '' } = registryNode.parse({
        description: `${'word '.repeat(before / 5)}${'x'.repeat(before % 5)} someone@example.org and more`,
      });
      expect(description).not.toMatch(/someone|@/);
      expect(description.length).toBeLessThan(20_001);
    }
  });

  it('may lack every field, or have null, empty strings and wrong types instead', () => {
    const fields = [...Object.keys(whole), 'license', 'repository', 'icon', 'createdAt', 'translations'];
    const odd = fc.constantFrom<unknown>(null, '', 0, [], {}, [null, 7], 'text', true, {
      id: 4,
      members: [3],
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), odd), (record) => {
        expect(registryNode.safeParse(record).success).toBe(true);
      }),
    );
    expect(JSON.stringify(registryNode.parse({ id: '', name: null, tags: null }))).toBe('{}');
    expect(registryNode.safeParse([42]).success).toBe(false);
  });

  it('keeps unknown states by name', () => {
    expect(registryNode.parse({ status: 'NodeStatusSleeping' }).status).toBe('sleeping');
    expect(registryNode.parse({ status: 'Whatever' }).status).toBe('whatever');
  });
});

it('lists skip what is not a record', () => {
  expect(registryPage.parse({ nodes: [{ id: 'a' }, 7, null], total: 3 }).nodes).toHaveLength(1);
  expect(registryPage.parse({ nodes: null }).nodes).toEqual([]);
  expect(registryVersions.parse([{ version: '1' }, 'x'])).toHaveLength(1);
  expect(registryVersions.parse(null)).toEqual([]);
});

describe('withoutEmails', () => {
  it('finds an e-mail address inside a link', () => {
    expect(withoutEmails('https://example.org/?to=someone%40example.org&x=1')).toBe(
      'https://example.org/(email hidden)&x=1',
    );
  });

  it('leaves other uses of @ alone', () => {
    const text = 'https://medium.com/@name.x, git+https://host/a@v2, @mention, a @ b';
    expect(withoutEmails(text)).toBe(text);
  });

  it('is quick on long texts', () => {
    expect(withoutEmails(`${'a'.repeat(200_000)}@`)).toHaveLength(200_001);
  });
});
