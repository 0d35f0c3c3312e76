import * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { loadDrawing } from '../../../../src/core/drawing/drawWorkflow';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { Secrets } from '../../../../src/core/safety/secrets';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { type DrawnWorkflow, ElsewhereProblem, RowEdits } from '../../../../src/host/graph/rowEdits';
import { problemText } from '../../../../src/host/platform/problems';
import { hideWhereShown } from '../../../../src/host/platform/shownSecrets';

/** The text as VS Code has it; an edit makes its next version. */
const file = { text: '', version: 0, readonly: '' };

const document = {
  languageId: 'json',
  uri: { scheme: 'file', path: '/flow.json' },
  get version() {
    return file.version;
  },
  getText: () => file.text,
  positionAt: (offset: number) => offset,
} as unknown as vscode.TextDocument;

interface Edit {
  readonly range: { readonly start: number; readonly end: number };
  readonly newText: string;
}

function catalogOf(choices: readonly unknown[]): Catalog {
  const required = {
    pick: [choices],
    seed: ['INT', { control_after_generate: true }],
    on: ['BOOLEAN', {}],
    text: ['STRING', { multiline: true, default: 'a cat' }],
  };
  return Catalog.fromDefinitions({ Node: { input: { required }, output: ['INT'] } });
}

function write(values: string, rest = ''): void {
  file.text = `{"nodes": [{"id": 1, "type": "Node", "widgets_values": [${values}]}${rest}], "links": [], "version": 0.4}`;
  file.version++;
}

function drawn(catalog: Catalog): DrawnWorkflow {
  const workflow = WorkflowDocument.of(file.text);
  const loaded = loadDrawing(workflow, catalog);
  if (!loaded) throw new Error('The text is a workflow.');
  return { workflow, loaded, catalog, inside: '' };
}

async function words(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => problemText(error).line(),
  );
}

const row = (input: string): { readonly node: string; readonly input: string } => ({ node: '1', input });

describe('a value changed in its row', () => {
  const catalog = catalogOf(['1', 1, 2]);
  const edits = new RowEdits(document);

  afterEach(() => vi.restoreAllMocks());
  beforeEach(() => {
    vi.spyOn(vscode.workspace, 'openTextDocument').mockResolvedValue(document);
    vi.spyOn(vscode.workspace, 'applyEdit').mockImplementation((edit) => {
      const { edits } = edit as unknown as { readonly edits: readonly Edit[] };
      file.text = applyEdits(
        file.text,
        edits.map(({ range: { start, end }, newText }) => ({ offset: start, length: end - start, newText })),
      );
      file.version++;
      return Promise.resolve(true);
    });
    vi.spyOn(vscode.workspace.fs, 'isWritableFileSystem').mockImplementation(
      () => file.readonly !== 'scheme',
    );
    vi.spyOn(vscode.workspace, 'getConfiguration').mockReturnValue({
      get: (name: string) => (name === file.readonly ? { '**/flow.json': true } : {}),
    } as never);
    vi.spyOn(vscode.languages, 'match').mockImplementation((selector) =>
      (selector as { readonly pattern: string }).pattern === '**/flow.json' ? 10 : 0,
    );
    hideWhereShown(new Secrets());
    file.readonly = '';
    write('1, 18446744073709551614, "fixed", "yes"');
  });

  it('is the one that was chosen, with its type', async () => {
    const editor = await edits.editor(drawn(catalog), row('pick'));
    expect(editor).toMatchObject({ text: '1', field: { options: ['"1"', '1', '2'] } });
    await edits.change(drawn(catalog), row('pick'), '1', '"1"');
    expect(file.text).toContain('["1", ');
    await edits.step(drawn(catalog), row('pick'), 1);
    expect(file.text).toContain('[1, ');
  });

  it('keeps every digit, and its mode is a word', async () => {
    await edits.step(drawn(catalog), row('seed'), 1);
    await edits.step(drawn(catalog), row('control_after_generate'), 1);
    expect(file.text).toContain('18446744073709551615, "increment"');
    await edits.change(drawn(catalog), row('seed'), '18446744073709551615', '9007199254740993');
    expect(file.text).toContain(' 9007199254740993,');
  });

  it('is entered where a step that was asked for before has led', async () => {
    const step = edits.step(drawn(catalog), row('seed'), 1);
    expect(await edits.editor(drawn(catalog), row('seed'))).toMatchObject({ text: '18446744073709551615' });
    await step;
  });

  it('is a switch that goes from what is drawn to the other', async () => {
    await edits.step(drawn(catalog), row('on'), 1);
    expect(file.text).toContain('false]');
    await edits.step(drawn(catalog), row('on'), -1);
    expect(file.text).toContain('true]');
  });

  it('is a text, whose quotes and line ends are escaped', async () => {
    write('1, 5, "fixed", true, "a \\"cat\\",\\r\\nby day"');
    const editor = await edits.editor(drawn(catalog), row('text'));
    expect(editor).toMatchObject({ text: 'a "cat",\r\nby day', field: { kind: 'lines' } });
    await edits.change(drawn(catalog), row('text'), 'a "cat",\r\nby day', 'one \\ "two"\r\n\tthree');
    expect(file.text).toContain('true, "one \\\\ \\"two\\"\\r\\n\\tthree"]');
  });

  it('is set to its default', async () => {
    write('1, 5, "fixed", true, "another"');
    await edits.reset(drawn(catalog), row('text'));
    expect(file.text).toContain('true, "a cat"]');
  });

  it('is a new seed, within its limits', async () => {
    write('1, 5, "fixed", true, "another"');
    await edits.newSeeds(drawn(catalog), '1');
    expect(file.text).toMatch(/\[1, \d{6,}, "fixed", true, "another"\]/);
    file.text = '{"1": {"class_type": "Node", "inputs": {"seed": 5, "pick": 1}}}';
    file.version++;
    await edits.newSeeds(drawn(catalog), '1');
    expect(file.text).toMatch(/"seed": \d{6,}, "pick": 1/);
  });

  it.each([
    ['muted', '2'],
    ['bypassed', '4'],
    ['always', '0'],
  ] as const)('is the mode of its node: %s', async (mode, written) => {
    await edits.setMode(drawn(catalog), '1', mode);
    expect(file.text).toContain(`"mode": ${written}`);
    await edits.setMode(drawn(catalog), '1', 'muted');
    expect(file.text).toContain('"mode": 2');
  });

  it('is a file of the workspace before those that the server lists', async () => {
    const required = { image: [['on the server.png', 'both.png'], { image_upload: true }] };
    const loads = Catalog.fromDefinitions({ Node: { input: { required }, output: [] } });
    const withFiles = new RowEdits(document, (kind) =>
      Promise.resolve(kind === 'image' ? ['both.png', 'local.png'] : []),
    );
    write('"on the server.png", "image"');
    const editor = await withFiles.editor(drawn(loads), row('image'));
    expect(editor?.field.options).toEqual(['both.png', 'local.png', 'on the server.png']);
    await withFiles.change(drawn(loads), row('image'), 'on the server.png', 'local.png');
    expect(file.text).toContain('["local.png", "image"]');
    await withFiles.setFile(drawn(loads), row('image'), 'dropped "1".png');
    expect(file.text).toContain('["dropped \\"1\\".png", "image"]');
  });

  it('is refused with the reason if the definitions no longer have it', async () => {
    const before = file.text;
    expect(await words(edits.change(drawn(catalogOf([1, 3])), row('pick'), '1', '2'))).toBe(
      "pick wasn't set to “2”. Select one of the options.",
    );
    expect(file.text).toBe(before);
  });

  it('is refused if it has changed meanwhile, or if the text is no longer a graph', async () => {
    const before = drawn(catalog);
    write('2, 5, "fixed", true');
    const change = edits.change(before, row('pick'), '1', '2');
    expect(await words(change)).toMatch(/^The workflow has changed, so the edit wasn't applied\./);
    const graphs = Array.from({ length: 102 }, (_, at) => ({
      id: `s${at}`,
      name: '',
      nodes: [{ id: 1, type: `s${at + 1}` }],
      links: [],
    }));
    const nodes = [{ id: 1, type: 's0' }];
    file.text = JSON.stringify({ nodes, links: [], version: 0.4, definitions: { subgraphs: graphs } });
    file.version++;
    expect(await words(edits.change(before, row('pick'), '1', '2'))).toBe(
      "The workflow has changed, so the edit wasn't applied. The links and subgraphs of this graph are too complex. Unpack some of its subgraphs.",
    );
  });

  it.each(['scheme', 'readonlyInclude'])(
    'is refused in a file that is read-only by its %s',
    async (readonly) => {
      const before = file.text;
      file.readonly = readonly;
      const step = new RowEdits(document).step(drawn(catalog), row('seed'), 1);
      expect(await words(step)).toBe("flow.json couldn't be changed. Check whether the file is read-only.");
      expect(file.text).toBe(before);
    },
  );

  it('is not offered where a choice would be hidden', async () => {
    const secrets = new Secrets();
    secrets.add('the-hidden-choice');
    hideWhereShown(secrets);
    write('"open", 5, "fixed", true');
    expect(await words(edits.editor(drawn(catalogOf(['open', 'the-hidden-choice'])), row('pick')))).toBe(
      "A value of pick looks like a key, so it isn't shown. Change it in the text.",
    );
  });

  it('leads to the node that it comes from', async () => {
    const input = { name: 'seed', type: 'INT', widget: { name: 'seed' }, link: 1 };
    const primitive = { id: 2, type: 'PrimitiveNode', title: 'All seeds', outputs: [{ type: 'INT' }] };
    const nodes = [{ id: 1, type: 'Node', inputs: [input] }, primitive];
    file.text = JSON.stringify({ nodes, links: [[1, 2, 0, 1, 0, 'INT']], version: 0.4 });
    file.version++;
    const problem: unknown = await edits.editor(drawn(catalog), row('seed')).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ElsewhereProblem);
    expect((problem as ElsewhereProblem).origin).toMatchObject({ node: '2', inside: '' });
    expect(problemText(problem).line()).toBe(
      'seed gets its value from All seeds. Change it where the link begins, or remove the link.',
    );
  });
});
