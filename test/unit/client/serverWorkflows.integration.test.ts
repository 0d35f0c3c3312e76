import { describe, expect, it } from 'vitest';
import { ServerWorkflows } from '../../../src/core/client/serverWorkflows';
import { Transport } from '../../../src/core/client/transport';
import { type Loopback, sendJson } from '../../support/loopback';
import { answering, httpForTest } from '../../support/sandboxFixture';

const never = new AbortController().signal;

const groups = [
  { title: 'Basics', templates: [{ name: 'a b/c', title: 'First', description: 'Makes one' }] },
  { title: 'Video', templates: [{ name: 'wan' }] },
];

function workflowsOf({ url: baseUrl }: Loopback): ServerWorkflows {
  return new ServerWorkflows(new Transport({ baseUrl, http: httpForTest(), retryBase: 1 }));
}

describe('the workflows of a server', () => {
  it('are its templates in the language of the page, or else in English', async () => {
    const server = await answering(({ path }, response) => {
      if (/index(\.zh)?\.json$/.test(path)) sendJson(response, 200, groups);
      else response.writeHead(404).end();
    });
    const listed = [
      {
        title: 'First',
        description: 'Makes one',
        category: 'Basics',
        path: '/templates/a%20b%2Fc.json',
      },
      { title: 'wan', description: '', category: 'Video', path: '/templates/wan.json' },
    ];
    expect(await workflowsOf(server).templates('zh', never)).toEqual(listed);
    expect(await workflowsOf(server).templates('ko', never)).toEqual(listed);
    expect(await workflowsOf(server).templates(undefined, never)).toEqual(listed);
    expect(server.arrivals.map(({ path }) => path.slice(11))).toEqual([
      'index.zh.json',
      'index.ko.json',
      'index.json',
      'index.json',
    ]);
  });

  it('are those that are saved there, of which there may be none', async () => {
    let files: object[] | undefined = [
      { path: 'deep/fox.json', size: 2 },
      { path: '.index.json' },
      { path: 'x.txt' },
    ];
    const server = await answering(({ path }, response) => {
      if (path.endsWith('/userdata') && !files) response.writeHead(404).end();
      else if (path.endsWith('/userdata')) sendJson(response, 200, files);
      else response.end('{"nodes":[]}');
    });
    const workflows = workflowsOf(server);
    const [fox, ...others] = await workflows.stored('Home', never);
    expect([fox, others]).toMatchObject([{ title: 'deep/fox', category: 'Home' }, []]);
    if (fox) expect(await workflows.text(fox, never)).toBe('{"nodes":[]}');
    expect(server.arrivals.at(-1)?.target).toBe('/api/userdata/workflows%2Fdeep%2Ffox.json');
    files = undefined;
    expect(await workflows.stored('Home', never)).toEqual([]);
  });
});
