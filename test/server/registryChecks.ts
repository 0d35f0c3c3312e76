import { randomUUID } from 'node:crypto';
import { isLoopback } from '../../src/core/client/address';
import { RegistryClient } from '../../src/core/registry/registryClient';
import type { RegistryPage } from '../../src/core/protocol/registry/registryNode';
import { ServerError } from '../../src/core/protocol/serverError';
import type { Check, Finding } from './check';
import { absent, expectThat, held } from './check';
import type { LiveServer } from './liveServer';

const none = absent('no node registry');

/** A node type with known packs: on the sandbox, and at the public registry. */
const knownClasses = ['LighthouseBeam', 'ImpactWildcardProcessor'];

/** A node registry, if the server is one too. Reviews are tried on this machine only: they cannot be withdrawn. */
export const registryChecks: readonly Check[] = [
  {
    name: 'registry: packs are listed',
    run: withPacks(({ nodes, total }) => held(`${nodes.length} of ${total ?? '?'}`)),
  },
  {
    name: 'registry: a pack and its versions',
    run: withPacks(async ({ nodes }, client) => {
      const listed = nodes.find(({ latestVersion }) => latestVersion?.version !== undefined);
      if (listed?.id === undefined) return absent('no pack with a version');
      const pack = await client.pack(listed.id);
      expectThat(pack?.id === listed.id, `${listed.id} is told as ${pack?.id ?? 'nothing'}`);
      const versions = await client.versions(listed.id);
      const latest = listed.latestVersion?.version;
      expectThat(
        versions.some(({ version }) => version === latest),
        `${latest ?? '?'} is not among its versions`,
      );
      return held(`${listed.id}, ${versions.length} versions`);
    }),
  },
  {
    name: 'registry: what it does not know',
    run: withPacks(async (_page, client) => {
      const name = `Nobody-${randomUUID()}`;
      expectThat((await client.packOfClass(name)) === undefined, 'a class that never was has a pack');
      expectThat((await client.pack(name)) === undefined, 'a pack that never was is there');
      expectThat((await client.versions(name)).length === 0, 'a pack that never was has versions');
      const { nodes } = await client.search({ words: name });
      expectThat(nodes.length === 0, 'words that nobody wrote are found');
      return held();
    }),
  },
  {
    name: 'registry: the pack of a class',
    run: withPacks(async (_page, client) => {
      for (const classType of knownClasses) {
        const pack = await client.packOfClass(classType);
        if (!pack) continue;
        expectThat(pack.id !== undefined && pack.name !== undefined, 'the pack has no name');
        const { nodes } = await client.search({ classType });
        expectThat(
          nodes.some(({ id }) => id === pack.id),
          `the search for ${classType} does not find ${pack.id}`,
        );
        return held(`${classType} in ${pack.id}`);
      }
      return absent(`no pack has ${knownClasses.join(' or ')}`);
    }),
  },
  {
    name: 'registry: a review where there is nothing else',
    async run(server) {
      if (!isLoopback(server.url)) return absent('tried on this machine alone');
      if (!(await server.isStrict())) return absent('has more than its contract');
      const client = registryOf(server);
      const answer = await client.review('lighthouse-nodes', 4);
      if (answer.kind === 'refused') return absent(`takes no review: ${answer.message}`);
      expectThat(answer.pack.rating !== undefined, 'the new rating is not told');
      const unknown = await client.review(`nobody-${randomUUID()}`, 4);
      expectThat(
        unknown.kind === 'refused' && unknown.reason === 'unknownPack',
        `the answer for a pack that never was is ${JSON.stringify(unknown)}`,
      );
      return held(`${answer.pack.id ?? '?'} now has ${answer.pack.rating}`);
    },
  },
];

type PacksCheck = (page: RegistryPage, client: RegistryClient) => Finding | Promise<Finding>;

/** Runs a check on a page of packs; a server without such a page has no registry. */
function withPacks(check: PacksCheck): Check['run'] {
  return async (server) => {
    const client = registryOf(server);
    let page: RegistryPage;
    try {
      page = await client.search({});
    } catch (error) {
      if (isNoRegistry(error)) return none;
      throw error;
    }
    return page.nodes.length === 0 ? none : check(page, client);
  };
}

/** Servers answer unknown paths with a refusal, or with their web page. */
function isNoRegistry(error: unknown): boolean {
  const refusals = ['notFound', 'unauthorized', 'forbidden', 'badRequest', 'unexpectedShape'];
  return ServerError.is(error) && refusals.includes(error.reason);
}

function registryOf({ url, http }: LiveServer): RegistryClient {
  return new RegistryClient({ baseUrl: url, http, reviewToken: () => Promise.resolve(undefined) });
}
