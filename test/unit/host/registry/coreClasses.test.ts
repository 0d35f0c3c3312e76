import { describe, expect, it } from 'vitest';
import { KeptCoreClasses } from '../../../../src/host/registry/coreClasses';
import { definitionsText, sandboxDefinitions } from '../../../../src/sandbox/nodes/nodeSet';

/** The node types of a server, with their modules. */
function kept(server: string, modules: Readonly<Record<string, string | undefined>>) {
  const definitions = Object.entries(modules).map(([name, module]) => [name, { python_module: module }]);
  const reading = { times: 0 };
  const text = () => {
    reading.times++;
    return Promise.resolve(JSON.stringify(Object.fromEntries(definitions)));
  };
  return { server, text, reading };
}

describe("ComfyUI's own node types", () => {
  it('are those of its own modules, on any server', async () => {
    const core = new KeptCoreClasses(() => [
      kept('one', { KSampler: 'nodes', Canny: 'comfy_extras.nodes_canny', Beam: 'custom_nodes.lighthouse' }),
      kept('other', { FluxPro: 'comfy_api_nodes.nodes_bfl', Old: undefined, Nodes: 'nodes_of_somebody' }),
    ]);
    expect(core.knows('KSampler')).toBe(false);
    const found = ['KSampler', 'Canny', 'FluxPro', 'Beam', 'Old', 'Nodes', 'Nobody'].map(async (name) =>
      (await core.has(name)) ? [name] : [],
    );
    expect((await Promise.all(found)).flat()).toEqual(['KSampler', 'Canny', 'FluxPro']);
    expect(core.knows('KSampler')).toBe(true);
  });

  it('are read once per server, including servers added later', async () => {
    const first = kept('first', { KSampler: 'nodes' });
    const servers = [first];
    const core = new KeptCoreClasses(() => servers);
    await Promise.all([core.has('KSampler'), core.has('Newer')]);
    expect(first.reading.times).toBe(1);
    servers.push(kept('second', { Newer: 'nodes' }));
    expect(await core.has('Newer')).toBe(true);
    expect(first.reading.times).toBe(1);
  });

  it('are not affected by missing, broken or unreadable definitions', async () => {
    const core = new KeptCoreClasses(() => [
      { server: 'missing', text: () => Promise.resolve(undefined) },
      { server: 'broken', text: () => Promise.resolve('{"KSampler": ') },
      { server: 'failing', text: () => Promise.reject(new Error('no disk')) },
      kept('good', { KSampler: 'nodes' }),
    ]);
    expect(await core.has('KSampler')).toBe(true);
  });

  it('are known from a list in the extension', async () => {
    const text = () => Promise.resolve(definitionsText(sandboxDefinitions()));
    const core = new KeptCoreClasses(() => [{ server: 'sandbox', text }]);
    expect(await core.has('KSampler')).toBe(true);
    expect(await core.has('SandboxFail')).toBe(false);
  });
});
