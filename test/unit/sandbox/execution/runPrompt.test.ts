import { describe, expect, it } from 'vitest';
import { ExecutionCache } from '../../../../src/sandbox/execution/executionCache';
import { FileStore } from '../../../../src/sandbox/files/fileStore';
import { failure, messages, node, ranNodes, redPicture, tryRun } from '../tryRun';

const save = (source: string): ReturnType<typeof node> =>
  node('SaveImage', { images: [source, 0], filename_prefix: 'out' });

describe('a run', () => {
  it('lists nodes in the order of the text, which objects do not keep', async () => {
    const promptText = `{"9": ${JSON.stringify(redPicture)}, "1": ${JSON.stringify(save('9'))}}`;
    const cache = new ExecutionCache();
    const prompt = { '9': redPicture, '1': save('9') };
    await tryRun(prompt, { cache, promptText });
    const again = await tryRun(prompt, { cache, promptText });
    expect(messages(again, 'execution_cached')[0]?.['nodes']).toEqual(['9', '1']);
  });

  it('reuses what did not change from the cache, shows it again and runs only the rest', async () => {
    const cache = new ExecutionCache();
    const files = new FileStore();
    await tryRun({ '1': redPicture, '2': save('1') }, { cache, files });
    const again = await tryRun(
      { a: redPicture, b: save('a'), c: node('PreviewImage', { images: ['a', 0] }) },
      { cache, files },
    );
    expect(messages(again, 'execution_cached')[0]?.['nodes']).toEqual(['a', 'b']);
    expect(ranNodes(again)).toEqual(['c']);
    expect(messages(again, 'executed').map((data) => data['node'])).toEqual(['b', 'c']);
    expect(again.result.meta['b']).toMatchObject({ node_id: '2' });
  });

  it('reports a blocked branch if it has a message, runs the others and succeeds', async () => {
    const blocking = (message: string) =>
      tryRun({
        '1': redPicture,
        '2': node('SandboxBlock', { value: ['1', 0], block: true, message }),
        '3': save('2'),
        '4': save('1'),
      });
    expect(messages(await blocking(''), 'execution_error')).toEqual([]);
    const tried = await blocking('not today');
    const [blocked] = messages(tried, 'execution_error');
    expect(blocked).toMatchObject({ node_id: '3', exception_type: 'ExecutionBlocked' });
    expect(blocked?.['exception_message']).toBe('Execution Blocked: not today');
    expect(blocked).not.toHaveProperty('timestamp');
    expect(tried.result.status).toBe('success');
    expect(Object.keys(tried.result.outputs)).toEqual(['4']);
  });

  it('runs the nodes that a node expands into, reported at the node in the file', async () => {
    const tried = await tryRun({
      '1': redPicture,
      '2': node('SandboxExpand', { image: ['1', 0], count: 2 }),
      '3': save('2'),
    });
    expect(ranNodes(tried)).toEqual(['1', '2', '2.0.0.1', '2.0.0.2', '3']);
    const inner = messages(tried, 'executing').find((data) => data['node'] === '2.0.0.2');
    expect(inner?.['display_node']).toBe('2');
    const last = messages(tried, 'progress_state').at(-1)?.['nodes'] as Record<string, unknown>;
    expect(last['2.0.0.1']).toMatchObject({ parent_node_id: '2', real_node_id: '2', state: 'finished' });
    expect(tried.result.status).toBe('success');
  });

  it('evaluates only the selected side of a switch', async () => {
    const tried = await tryRun({
      '1': redPicture,
      '2': node('SandboxFail', { value: ['1', 0], how: 'value' }),
      '3': node('ComfySwitchNode', { switch: true, on_false: ['2', 0], on_true: ['1', 0] }),
      '4': save('3'),
    });
    expect(tried.result.status).toBe('success');
    expect(ranNodes(tried)).not.toContain('2');
  });

  it('calls a node once per element of a list', async () => {
    const tried = await tryRun({
      '1': node('EmptyImage', { width: 8, height: 8, batch_size: 5, color: 1 }),
      '2': node('RebatchImages', { images: ['1', 0], batch_size: 2 }),
      '3': save('2'),
    });
    expect(tried.result.outputs['3']?.['images']).toHaveLength(5);
    expect(tried.files.names('output', '')).toHaveLength(5);
  });
});

describe('a run that fails', () => {
  it('reports the node, the reason and the inputs, and keeps earlier outputs', async () => {
    const tried = await tryRun({
      '1': redPicture,
      '2': save('1'),
      '3': node('SandboxFail', { value: ['1', 0], how: 'memory' }),
      '4': node('PreviewAny', { source: ['3', 0] }),
    });
    expect(failure(tried)).toMatchObject({
      node_id: '3',
      node_type: 'SandboxFail',
      exception_type: 'torch.OutOfMemoryError',
      executed: ['1', '2'],
      current_inputs: { how: ['memory'] },
    });
    expect(failure(tried)['exception_message']).toContain('Allocation on device\nThis error means');
    expect(tried.result.status).toBe('error');
    expect(Object.keys(tried.result.outputs)).toEqual(['2']);
  });

  it('fails on a link to a missing node, where the real worker dies', async () => {
    const tried = await tryRun({
      '1': redPicture,
      '2': node('SaveImage', { ...save('1').inputs, zzz: ['77', 0] }),
    });
    expect(failure(tried)['exception_type']).toBe('comfy_execution.graph.NodeNotFoundError');
  });

  it('hangs on it like the real worker on request', async () => {
    const run = tryRun({ '2': save('77') }, { missingNode: 'hang' }).then(() => 'ended');
    const later = new Promise((resolve) => setTimeout(() => resolve('still running'), 50));
    expect(await Promise.race([run, later])).toBe('still running');
  });

  it('survives an unknown node type', async () => {
    const tried = await tryRun({ '1': node('NoSuchNode') }, { targets: ['1'] });
    expect(failure(tried)['node_type']).toBe('NoSuchNode');
  });
});

describe('a cancelled run', () => {
  it('stops between two steps and reports the node', async () => {
    const stop = new AbortController();
    const tried = await tryRun(
      {
        '1': redPicture,
        '2': node('SandboxSlow', { value: ['1', 0], steps: 100 }),
        '3': node('PreviewAny', { source: ['2', 0] }),
      },
      {
        signal: stop.signal,
        emit: (event) => {
          if (event.kind === 'message' && event.type === 'progress' && event.data['value'] === 3)
            stop.abort();
        },
      },
    );
    expect(tried.result.status).toBe('interrupted');
    const [type, data] = tried.result.messages.at(-1) ?? [];
    expect(type).toBe('execution_interrupted');
    expect(data).toMatchObject({ node_id: '2', node_type: 'SandboxSlow', executed: ['1'] });
  });
});
