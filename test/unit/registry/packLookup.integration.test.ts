import { describe, expect, it } from 'vitest';
import { PackCache } from '../../../src/core/registry/packCache';
import { PackLookup } from '../../../src/core/registry/packLookup';
import type { RegistryClient } from '../../../src/core/registry/registryClient';
import { sandboxRegistry } from './registryServer';

const day = 24 * 60 * 60 * 1000;

/** ComfyUI as if it had two node types. */
const coreNames = ['KSampler', 'LighthouseBeam2'];
const coreClasses = {
  knows: (classType: string) => coreNames.includes(classType),
  has: (classType: string) => Promise.resolve(coreNames.includes(classType)),
};

/** A store in memory. */
function store(text?: string) {
  const kept = { text };
  return {
    kept,
    load: () => Promise.resolve(kept.text),
    save: (next: string) => {
      kept.text = next;
      return Promise.resolve();
    },
  };
}

async function onSandbox() {
  const { sandbox, client } = await sandboxRegistry();
  const kept = store();
  const clock = { now: 1_000_000 };
  const cache = new PackCache(kept, () => clock.now);
  const paths = () => sandbox.seen.requests.map(({ path }) => path);
  return { sandbox, client, clock, cache, kept, paths, lookup: new PackLookup(client, cache, coreClasses) };
}

describe('the lookup from a node type to its pack', () => {
  it('ends with the registry’s own answer', async () => {
    const { lookup, paths } = await onSandbox();
    expect(await lookup.find({ classType: 'LighthouseBeam' })).toMatchObject({
      kind: 'found',
      how: 'provides',
      card: { id: 'lighthouse-nodes', name: 'Lighthouse Nodes', publisher: 'Harbour Nodes' },
    });
    expect(paths()).toEqual(['/comfy-nodes/LighthouseBeam/node']);
  });

  it('continues with the pack that the file names, in any spelling', async () => {
    const { lookup, paths } = await onSandbox();
    const answer = await lookup.find({ classType: 'Renamed', pack: 'Old_Rigging' });
    expect(answer).toMatchObject({ kind: 'found', how: 'provides', card: { id: 'old-rigging' } });
    expect(paths()).toEqual(['/comfy-nodes/Renamed/node', '/nodes/Old_Rigging', '/nodes/old-rigging']);
  });

  it('continues with the search, whose answer is a guess', async () => {
    const { lookup, paths } = await onSandbox();
    expect(await lookup.find({ classType: 'TideTable', pack: 'nobody' })).toMatchObject({
      kind: 'found',
      how: 'maybe',
      card: { id: 'tide-tables' },
    });
    expect(paths()).toEqual(['/comfy-nodes/TideTable/node', '/nodes/nobody', '/nodes/search']);
    expect(await lookup.find({ classType: 'NobodyHasThis' })).toEqual({ kind: 'none' });
  });

  it('is skipped for node types of the editor and the core', async () => {
    const { lookup, paths } = await onSandbox();
    const names = [
      'Reroute',
      'Note',
      'MarkdownNote',
      'PrimitiveNode',
      'workflow/group',
      'workflow>group',
      '7b34ab90-36f9-45ba-a665-71d418f0df18',
      '..',
    ];
    for (const classType of names) expect(await lookup.find({ classType })).toEqual({ kind: 'none' });
    const core = { kind: 'core' };
    expect(await lookup.find({ classType: 'NewCoreNode', pack: 'comfy-core' })).toEqual(core);
    expect(await lookup.find({ classType: 'KSampler' })).toEqual(core);
    expect(lookup.known({ classType: 'KSampler' })).toEqual(core);
    expect(lookup.known({ classType: 'Note' })).toEqual({ kind: 'none' });
    expect(paths()).toEqual([]);
  });

  it('happens for a core node type if the file names a pack for it', async () => {
    const { lookup } = await onSandbox();
    expect(await lookup.find({ classType: 'KSampler', pack: 'old-rigging' })).toMatchObject({
      kind: 'found',
      card: { id: 'old-rigging' },
    });
  });

  it('does not treat the core as a pack when the registry names it', async () => {
    const core = { id: 'comfy-core', name: 'ComfyUI' };
    const registry = {
      baseUrl: 'https://registry.example.org',
      packOfClass: () => Promise.resolve(core),
      pack: () => Promise.resolve(core),
      search: () => Promise.resolve({ nodes: [core] }),
    } satisfies Partial<RegistryClient>;
    const lookup = new PackLookup(registry, new PackCache(store()), coreClasses);
    expect(await lookup.find({ classType: 'NewerCoreNode' })).toEqual({ kind: 'core' });
  });
});

describe('answers', () => {
  it('are shared by simultaneous lookups, and cancelling one does not affect the others', async () => {
    const { lookup, paths } = await onSandbox();
    const leaving = new AbortController();
    const left = lookup.find({ classType: 'HarbourMask' }, leaving.signal);
    const stayed = lookup.find({ classType: 'HarbourMask' });
    leaving.abort();
    await expect(left).rejects.toThrow(/abort/i);
    expect(await stayed).toMatchObject({ kind: 'found' });
    expect(paths()).toHaveLength(1);
  });

  it('are cached for a day, misses too, also for the next window', async () => {
    const { lookup, client, cache, clock, kept, paths } = await onSandbox();
    await lookup.find({ classType: 'LighthouseBeam' });
    await lookup.find({ classType: 'NobodyHasThis' });
    await cache.saved();
    const asked = paths().length;
    clock.now += day - 1;
    const next = new PackLookup(client, new PackCache(store(kept.kept.text), () => clock.now), coreClasses);
    expect(await next.find({ classType: 'LighthouseBeam' })).toMatchObject({ kind: 'found' });
    expect(await next.find({ classType: 'NobodyHasThis' })).toEqual({ kind: 'none' });
    expect(next.known({ classType: 'LighthouseBeam' })).toMatchObject({ kind: 'found' });
    expect(paths()).toHaveLength(asked);
    clock.now += 1;
    expect(next.known({ classType: 'LighthouseBeam' })).toBeUndefined();
    await next.find({ classType: 'LighthouseBeam' });
    expect(paths()).toHaveLength(asked + 1);
  });

  it('about a pack are requested again after it changed', async () => {
    const { lookup, cache, kept, paths } = await onSandbox();
    await lookup.find({ classType: 'LighthouseBeam' });
    await lookup.find({ classType: 'OldRigging' });
    lookup.forgetPack('lighthouse-nodes');
    expect(lookup.known({ classType: 'LighthouseBeam' })).toBeUndefined();
    expect(lookup.known({ classType: 'OldRigging' })).toMatchObject({ kind: 'found' });
    await cache.saved();
    expect(kept.kept.text).not.toContain('lighthouse');
    await lookup.find({ classType: 'LighthouseBeam' });
    expect(paths()).toHaveLength(3);
  });

  it('are not cached when the registry fails', async () => {
    const { lookup, sandbox } = await onSandbox();
    sandbox.faults.set('answer', { path: '/comfy-nodes/*', kind: 'rateLimited', retryAfter: 0, times: 1 });
    await expect(lookup.find({ classType: 'LighthouseBeam' })).rejects.toMatchObject({
      reason: 'rateLimited',
    });
    expect(await lookup.find({ classType: 'LighthouseBeam' })).toMatchObject({ kind: 'found' });
  });

  it.each(['', 'no json', '{}', '[["a", {"at": 1, "answer": {"kind": "found"}}], 7]'])(
    'are requested again when the cache contains %j',
    async (text) => {
      const { client } = await onSandbox();
      const cache = new PackCache(store(text), () => 2);
      expect(
        await new PackLookup(client, cache, coreClasses).find({ classType: 'OldRigging' }),
      ).toMatchObject({ kind: 'found' });
    },
  );

  it('are evicted oldest first when there are too many', async () => {
    const cache = new PackCache(store());
    for (let at = 0; at <= 2000; at++) cache.set(`key ${at}`, { kind: 'none' });
    expect([cache.get('key 0'), cache.get('key 1')]).toEqual([undefined, { kind: 'none' }]);
    await cache.saved();
  });
});
