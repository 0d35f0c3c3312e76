import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { drawWorkflow } from '../../../../src/core/drawing/drawWorkflow';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { NodeImages } from '../../../../src/host/graph/nodeImages';

vi.mock('../../../../src/host/runs/placeMedia', () => ({
  placeMedia: (_workflow: unknown, uri: { path: string }) => Promise.resolve({ name: uri.path }),
}));
vi.mock('../../../../src/host/runs/findLocalMedia', () => ({
  findLocalPicture: async (_workflow: unknown, name: string) => {
    if (name === 'slow.png') await new Promise((resolve) => setTimeout(resolve, 20));
    return name === 'here.png' ? { path: '/flows/here.png' } : undefined;
  },
}));

const catalog = Catalog.fromDefinitions({
  Load: { input: { required: { image: [['a.png'], { image_upload: true }] } }, output: ['IMAGE'] },
});
const workflow = vscode.Uri.file('/flows/flow.json');

beforeEach(() => {
  vi.spyOn(vscode.workspace, 'getWorkspaceFolder').mockImplementation((uri) =>
    uri.path.startsWith('/flows/') ? ({} as vscode.WorkspaceFolder) : undefined,
  );
});
const png = Buffer.from('89504e470d0a1a0a00', 'hex');

async function drawingOf(values: readonly string[]) {
  const nodes = values.map((image, index) => [index + 1, { class_type: 'Load', inputs: { image } }]);
  const drawing = await drawWorkflow(
    WorkflowDocument.of(JSON.stringify(Object.fromEntries(nodes as [string, unknown][]))),
    catalog,
  );
  if (!drawing) throw new Error('It is a workflow.');
  return drawing;
}

/** The images of a prompt with these values, on a server that has some content under any name. */
async function imagesOf(content: Uint8Array | 'missing', ...values: readonly string[]) {
  const drawing = await drawingOf(values);
  const asked: string[] = [];
  const view = ({ filename, subfolder, area }: Record<string, string>): Promise<{ body: ReadableStream }> => {
    asked.push(`${area} ${subfolder} ${filename}`);
    if (content === 'missing') return Promise.reject(new Error('404'));
    return Promise.resolve({ body: new Blob([new Uint8Array(content)]).stream() });
  };
  const session = { client: { view } } as unknown as never;
  const servers = { quietSession: () => Promise.resolve(session) };
  const images = new NodeImages(workflow, servers, { state: undefined as never });
  return { images, asked, told: await images.of(drawing, ({ path }) => `webview:${path}`) };
}

describe('the image that a node loads', () => {
  it('is the file of the workspace, which is not asked for', async () => {
    const { images, asked, told } = await imagesOf(png, 'here.png');
    expect(told).toEqual([{ node: '1', name: 'here.png', source: 'webview:/flows/here.png' }]);
    expect(await images.fetch('1')).toBeUndefined();
    expect(asked).toEqual([]);
    expect(images.fileOf('1')?.path).toBe('/flows/here.png');
  });

  it('is that of the drawing made last, whichever is read first', async () => {
    const { images } = await imagesOf(png);
    const address = ({ path }: { path: string }) => path;
    const earlier = images.of(await drawingOf(['slow.png']), address);
    await images.of(await drawingOf(['here.png']), address);
    await earlier;
    expect(images.fileOf('1')?.path).toBe('/flows/here.png');
  });

  it('is what the server has under the name, once it is in sight', async () => {
    const { images, asked, told } = await imagesOf(png, 'sub/there.png', 'made.png [output]');
    expect(told.map(({ source }) => source)).toEqual([undefined, undefined]);
    expect(asked).toEqual([]);
    expect(await images.fetch('1')).toMatchObject({ node: '1', name: 'sub/there.png', mime: 'image/png' });
    await images.fetch('2');
    expect(asked).toEqual(['input sub there.png', 'output  made.png']);
  });

  it('is nothing that is no picture, is too large, or lies outside', async () => {
    const page = Buffer.from('<svg onload="alert(1)"/>');
    expect(await (await imagesOf(page, 'page.png')).images.fetch('1')).toBeUndefined();
    const large = Buffer.concat([png, Buffer.alloc(16 * 2 ** 20)]);
    expect(await (await imagesOf(large, 'large.png')).images.fetch('1')).toBeUndefined();
    expect(await (await imagesOf('missing', 'gone.png')).images.fetch('1')).toBeUndefined();
    const outside = await imagesOf(png, '../../etc/a.png');
    expect(await outside.images.fetch('1')).toBeUndefined();
    expect(await outside.images.fetch('2')).toBeUndefined();
    expect(outside.asked).toEqual([]);
  });
});

describe('a file that a page names', () => {
  it('is one of the workspace, not one that its path only seems to lead to', async () => {
    const { images } = await imagesOf(png);
    const row = { takes: 'image' } as unknown as never;
    expect(await images.nameGiven('file:///flows/sub/a.png', row)).toBe('/flows/sub/a.png');
    expect(await images.nameGiven('file:///flows/../home/a.png', row)).toBeUndefined();
  });
});
