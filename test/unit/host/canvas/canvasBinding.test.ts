import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { applyEdits, type TextEdit } from '../../../../src/core/json/textEdit';
import { parseJson } from '../../../../src/core/json/tree';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { CanvasBinding, type CanvasView } from '../../../../src/host/canvas/canvasBinding';
import { find, promoting } from '../../canvas/pageState';
import type { FromComfyPage, ToComfyPage } from '../../../../src/webview/contract/canvasPanel';

interface State {
  nodes: {
    id: number;
    type: string;
    pos: [number, number];
    widgets_values: unknown[];
    widgets_values_named?: object;
    mode?: number;
  }[];
  [other: string]: unknown;
}

const file = `{
  "nodes": [
    {"id": 1, "type": "Note", "pos": [10.0, 20], "size": [1, 1], "widgets_values": ["a"], "own": 18446744073709551615},
    {"id": 2, "type": "Gone", "pos": [30, 40], "size": [1, 1], "widgets_values": ["b"]}
  ],
  "links": [],
  "version": 0.4
}`;

/** A page as the module of a canvas makes one of it. */
class Page extends EventEmitter {
  readonly readyState = 1;
  state: State | undefined;
  reported = '';
  load = 0;
  loads = 0;
  imports = 0;
  isSilent = false;
  isDirty = false;
  by: 'user' | 'queue' | 'touched' | 'output' = 'user';

  constructor(private readonly binding: () => CanvasBinding) {
    super();
  }

  say(message: FromComfyPage | object): void {
    this.emit('message', Buffer.from(JSON.stringify(message)));
  }

  report(): void {
    const state = JSON.stringify(this.state);
    if (state === this.reported) return;
    this.reported = state;
    this.say({ type: 'state', load: this.load, state, by: this.by });
  }

  send(text: string): void {
    const message = JSON.parse(text) as ToComfyPage;
    if (this.isSilent) return;
    if (message.type === 'load' && message.prompt !== undefined) {
      this.imports++;
      const prompt = JSON.parse(message.prompt) as Record<string, { class_type: string; inputs: object }>;
      const nodes = Object.entries(prompt).map(([id, { class_type: type, inputs }]) => ({
        ...{
          id: Number(id),
          type,
          pos: [0, 0],
          size: [1, 1],
          mode: 0,
          properties: {},
          inputs: [],
          outputs: [],
        },
        widgets_values: Object.values(inputs) as unknown[],
      }));
      const state = JSON.stringify({ nodes, links: [], version: 0.4 });
      this.say({ type: 'imported', load: message.load, state });
    } else if (message.type === 'load') {
      this.loads++;
      this.load = message.load;
      const { problems, text } = parseJson(this.binding().read());
      if (problems.length > 0) {
        this.say({ type: 'failed', reason: 'notLoaded' });
        return;
      }
      this.state = { ...(JSON.parse(text) as State), revision: 0 };
      this.reported = JSON.stringify(this.state);
      this.say({ type: 'loaded', load: this.load, state: this.reported, unknownTypes: ['Gone'] });
    } else if (message.type === 'ask') {
      this.report();
      this.say({ type: 'answer', ask: message.ask });
    } else if (message.type === 'dirty') this.isDirty = message.isDirty;
  }

  close(): void {
    this.emit('close');
  }

  node(id: number): State['nodes'][number] {
    const found = this.state?.nodes.find((each) => each.id === id);
    if (!found) throw new Error(`There is no node ${id}.`);
    return found;
  }
}

let text: string;
let steps: string[];
let isReadOnly: boolean;
let said: Map<string, string>;
let binding: CanvasBinding;
let page: Page;
const view = {
  say: (subject: string, words: { words: { line(): string } } | undefined) =>
    words ? said.set(subject, words.words.line()) : said.delete(subject),
  followLink: vi.fn(),
  saveOther: vi.fn(),
  mayAdopt: vi.fn(() => Promise.resolve(true)),
  async change(edits: readonly TextEdit[]) {
    await Promise.resolve();
    if (isReadOnly) throw new Error('It is read-only.');
    set(applyEdits(text, edits));
  },
} satisfies CanvasView;

const document = {
  get text() {
    return text;
  },
  get workflow() {
    return WorkflowDocument.of(text);
  },
  lineEnd: '\n' as '\n' | '\r\n',
  isDirty: false,
  catalog: undefined as Catalog | undefined,
};

function set(now: string): void {
  steps.push(text);
  text = now;
  binding.documentChanged();
}

function connect(): void {
  page = new Page(() => binding);
  binding.begin();
  binding.connect(page as unknown as WebSocket);
  page.say({ type: 'hello', load: 0 });
}

/** A change elsewhere has been taken over. */
async function outside(now: string): Promise<void> {
  set(now);
  await vi.advanceTimersByTimeAsync(1500);
}

beforeEach(() => {
  vi.useFakeTimers();
  text = file;
  steps = [];
  isReadOnly = false;
  said = new Map();
  document.lineEnd = '\n';
  binding = new CanvasBinding(() => document, view);
  connect();
});

afterEach(() => {
  binding.end();
  vi.useRealTimers();
});

describe('a binding', () => {
  it('writes an edit of the page in its place, and nothing else', async () => {
    expect(steps).toEqual([]);
    page.node(1).pos = [10, 21];
    page.report();
    expect(await binding.settle()).toBe(true);
    expect(text).toBe(file.replace('20]', '21]'));
    expect([steps.length, page.loads]).toEqual([1, 1]);
  });

  it('takes what was typed when it is asked', async () => {
    page.node(1).widgets_values = ['typed'];
    expect(await binding.settle()).toBe(true);
    expect(text).toBe(file.replace('"a"', '"typed"'));
  });

  it('waits for a page no longer than a second, and for none that is gone', async () => {
    page.isSilent = true;
    const settled = binding.settle();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await settled).toBe(false);
    const other = binding.settle();
    page.close();
    expect(await other).toBe(true);
    expect(await binding.settle()).toBe(true);
  });

  it('writes what a page reports while it closes', async () => {
    page.isSilent = true;
    const closed = binding.close();
    page.node(1).widgets_values = ['typed'];
    page.report();
    page.close();
    await closed;
    expect(text).toBe(file.replace('"a"', '"typed"'));
  });

  it('goes back to the text of an earlier state, byte for byte', async () => {
    const before = structuredClone(page.state);
    page.state?.nodes.shift();
    page.report();
    await binding.settle();
    expect(text).not.toContain('18446744073709551615');
    page.state = before;
    page.report();
    await binding.settle();
    expect(text).toBe(file);
    expect(steps).toHaveLength(2);
  });

  it('loads what changed elsewhere, and writes before what the page had', async () => {
    page.node(1).widgets_values = ['typed'];
    await outside(file.replace('30, 40', '35, 45'));
    expect(text).toBe(file.replace('30, 40', '35, 45').replace('"a"', '"typed"'));
    expect(page.loads).toBe(2);
    expect(page.node(2).pos).toEqual([35, 45]);
    expect(page.node(1).widgets_values).toEqual(['typed']);
    expect(said.size).toBe(0);
  });

  it('undoes an edit at a place that changed elsewhere, and says so', async () => {
    page.node(1).widgets_values = ['mine'];
    await outside(file.replace('"a"', '"theirs"'));
    expect(text).toBe(file.replace('"a"', '"theirs"'));
    expect(page.node(1).widgets_values).toEqual(['theirs']);
    expect(said.get('edit')).toMatch(/has changed, so the edit wasn't applied/);
  });

  it('undoes what a file cannot keep, and what cannot be written', async () => {
    page.node(2).widgets_values = ['x'];
    page.report();
    await binding.settle();
    expect([text, page.loads]).toEqual([file, 2]);
    expect(page.node(2).widgets_values).toEqual(['b']);
    expect(said.get('edit')).toMatch(/without losing other parts/);
    isReadOnly = true;
    page.node(1).pos = [0, 0];
    await binding.settle();
    expect([text, page.node(1).pos]).toEqual([file, [10, 20]]);
    expect(said.get('edit')).toMatch(/read-only/);
    isReadOnly = false;
    page.node(1).pos = [0, 0];
    await binding.settle();
    expect(said.size).toBe(0);
  });

  it('writes nothing while the text is no graph, and loads it once it is one again', async () => {
    await outside('{"nodes": [');
    expect(said.get('text')).toMatch(/isn't a workflow in graph or API format/);
    // The page can't load it, and takes no edits.
    expect([page.loads, said.size]).toEqual([2, 1]);
    page.node(1).pos = [0, 0];
    page.report();
    await binding.settle();
    expect(text).toBe('{"nodes": [');
    await outside(file);
    expect(said.size).toBe(0);
    expect(page.node(1).pos).toEqual([10, 20]);
  });

  it('compares no state with the text of another load', async () => {
    const { load } = page;
    const late = JSON.stringify({ ...page.state, nodes: [] });
    await outside(file.replace('"a"', '"c"'));
    page.say({ type: 'state', load, state: late });
    page.say({ type: 'loaded', load, state: late, unknownTypes: [] });
    await binding.settle();
    expect(text).toBe(file.replace('"a"', '"c"'));
  });

  it('has a page load again that lost its file, and lets one go on that was only cut off', async () => {
    page.say({ type: 'hello', load: page.load });
    expect(page.loads).toBe(1);
    page.say({ type: 'hello', load: 0 });
    expect(page.loads).toBe(2);
    page.node(1).pos = [1, 1];
    await binding.settle();
    expect(text).toBe(file.replace('10.0, 20', '1, 1'));
  });

  it('writes no seeds and sizes that the page changes by running, but what is edited meanwhile', async () => {
    page.node(1).widgets_values = [5];
    await binding.settle();
    const written = text;
    page.by = 'queue';
    page.node(1).widgets_values = [77];
    await binding.settle();
    page.by = 'output';
    Object.assign(page.node(1), { size: [9, 9] });
    await binding.settle();
    expect(text).toBe(written);
    page.by = 'user';
    page.node(1).pos = [1, 2];
    await binding.settle();
    expect(text).toBe(written.replace('10.0, 20', '1, 2'));
    page.by = 'queue';
    page.node(1).widgets_values = [78];
    Object.assign(page.node(1), { pos: [3, 4], size: [10, 10] });
    await binding.settle();
    expect(text).toBe(written.replace('10.0, 20', '3, 4'));
  });

  it.each([
    ['the seed that the page shows once the user fixes it', [77, 'fixed', 20], [], [77, 'fixed', 20]],
    ['an edit, not what the page has added', [77, 'randomize', 30], ['normal'], [5, 'randomize', 30]],
  ])('writes of the values of a node that has run %s', async (_, edited, added, written) => {
    await outside(file.replace('["a"]', '[5, "randomize", 20]'));
    page.node(1).widgets_values = [5, 'randomize', 20, ...added];
    page.reported = JSON.stringify(page.state);
    page.say({ type: 'loaded', load: page.load, state: page.reported, unknownTypes: [] });
    page.by = 'queue';
    page.node(1).widgets_values = [77, 'randomize', 20, ...added];
    await binding.settle();
    page.by = 'user';
    page.node(1).widgets_values = [...edited, ...added];
    await binding.settle();
    expect((JSON.parse(text) as State).nodes[0]?.widgets_values).toEqual(written);
  });

  /** A write takes until the test lets it, as with the question about subgraphs. */
  async function editThatTakes(): Promise<() => void> {
    let go = (): void => undefined;
    const change = view.change.bind(view);
    const spy = vi.spyOn(view, 'change').mockImplementationOnce(async (edits) => {
      await new Promise<void>((resolve) => (go = resolve));
      spy.mockRestore();
      return change(edits);
    });
    page.node(2).pos = [1, 1];
    page.report();
    await vi.advanceTimersByTimeAsync(10);
    return () => go();
  }

  it('writes an edit that comes after a save which waits', async () => {
    const go = await editThatTakes();
    page.node(1).pos = [2, 2];
    page.report();
    const saved = binding.take(JSON.stringify(page.state));
    page.node(1).pos = [3, 3];
    page.report();
    go();
    await saved;
    await binding.settle();
    expect((JSON.parse(text) as State).nodes[0]?.pos).toEqual([3, 3]);
  });

  it('takes the text back byte for byte when what waited is undone', async () => {
    const go = await editThatTakes();
    page.node(2).pos = [2, 2];
    page.report();
    const before = structuredClone(page.state);
    page.state?.nodes.shift();
    page.report();
    go();
    await binding.settle();
    page.state = before;
    await binding.settle();
    expect(text).toContain('18446744073709551615');
  });

  it('keeps the copies of values that have names like the values, and writes both once a seed is fixed', async () => {
    const named = { seed: 5, control_after_generate: 'randomize', steps: 20 };
    await outside(
      file.replace('["a"]', `[5, "randomize", 20], "widgets_values_named": ${JSON.stringify(named)}`),
    );
    const put = async (by: Page['by'], seed: number, control: string, count: number): Promise<unknown[]> => {
      page.by = by;
      Object.assign(page.node(1), {
        widgets_values: [seed, control, count],
        widgets_values_named: { seed, control_after_generate: control, steps: count },
      });
      await binding.settle();
      const [node] = (JSON.parse(text) as State).nodes;
      return [node?.widgets_values, ...Object.values({ ...node?.widgets_values_named })];
    };
    expect(await put('touched', 77, 'randomize', 30)).toEqual([[5, 'randomize', 30], 5, 'randomize', 30]);
    expect(await put('queue', 78, 'randomize', 30)).toEqual([[5, 'randomize', 30], 5, 'randomize', 30]);
    expect(await put('user', 78, 'fixed', 30)).toEqual([[78, 'fixed', 30], 78, 'fixed', 30]);
  });

  it('writes an edit that waits behind another one, however many seeds the page rolls meanwhile', async () => {
    page.node(1).widgets_values = [5, 20];
    await binding.settle();
    page.node(1).pos = [50, 60];
    page.report();
    page.node(1).widgets_values = [5, 35];
    page.report();
    page.by = 'queue';
    for (const seed of [70, 71, 72, 73, 74]) {
      page.node(1).widgets_values = [seed, 35];
      page.report();
    }
    await binding.settle();
    expect((JSON.parse(text) as State).nodes[0]?.widgets_values).toEqual([5, 35]);
  });

  it('writes of the numbers that change while a run is sent those that nothing rolls, if the user works', async () => {
    page.node(1).widgets_values = [5, 'randomize', 20, 8];
    await binding.settle();
    const written = text;
    page.by = 'touched';
    page.node(1).widgets_values = [77, 'randomize', 20, 8];
    await binding.settle();
    expect(text).toBe(written);
    page.node(1).widgets_values = [77, 'randomize', 30, 8];
    await binding.settle();
    expect((JSON.parse(text) as State).nodes[0]?.widgets_values).toEqual([5, 'randomize', 30, 8]);
    Object.assign(page.node(1), { size: [9, 9] });
    await binding.settle();
    expect(text).toContain('"size": [9, 9]');
  });

  it('writes into the text that there is once a question is answered', async () => {
    const { text: start, before } = promoting();
    await outside(start);
    page.say({ type: 'loaded', load: page.load, state: JSON.stringify(before), unknownTypes: [] });
    find(before, 3).widgets_values = [3];
    view.mayAdopt.mockImplementationOnce(() => {
      set(text.replace('{', '{"added": true,'));
      return Promise.resolve(true);
    });
    page.say({ type: 'state', load: page.load, state: JSON.stringify(before), by: 'user' });
    await binding.settle();
    expect(JSON.parse(text)).toMatchObject({ added: true, nodes: [{}, {}, { widgets_values: [3] }] });
  });

  it('loads the file again after a state that is none', async () => {
    page.say({ type: 'state', load: page.load, state: '{', by: 'queue' });
    await vi.advanceTimersByTimeAsync(0);
    expect([text, page.loads, said.has('edit')]).toEqual([file, 2, true]);
  });

  it('drops what is no message, and a workflow that nobody asked for', async () => {
    page.emit('message', Buffer.from('{'));
    page.say({ type: 'state', load: 'x' });
    page.say({ type: 'other', name: 'x', state: '{}' });
    expect(view.saveOther).not.toHaveBeenCalled();
    binding.askOther();
    page.say({ type: 'other', name: 'x', state: '{}' });
    expect(view.saveOther).toHaveBeenCalledTimes(1);
    await binding.settle();
    expect(text).toBe(file);
  });

  it('says that a page does not come within 30 seconds, and what it lacks', async () => {
    binding.begin();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(said.get('page')).toMatch(/within 30 s/);
    connect();
    expect(said.size).toBe(0);
    page.say({ type: 'failed', reason: 'old' });
    expect(said.get('page')).toMatch(/Version 1\.27/);
    connect();
    page.isSilent = true;
    await outside(file.replace('"a"', '"b"'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(said.get('page')).toMatch(/within 30 s/);
    said.clear();
    page.close();
    await outside(file.replace('"a"', '"c"'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(said.size).toBe(0);
  });

  it('writes the line ends of the document', async () => {
    document.lineEnd = '\r\n';
    await outside(file.replaceAll('\n', '\r\n'));
    page.state?.nodes.push({ id: 3, type: 'Note', pos: [5, 6], widgets_values: ['new'] });
    await binding.settle();
    expect(text).toContain('"new"');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(page.loads).toBe(2);
  });

  it('ends 200 random edits, undos, and changes elsewhere with the same in both, and without an echo', async () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    const past: State[] = [];
    for (let round = 0; round < 200; round++) {
      const kind = random(5);
      if (kind < 3 && page.state) {
        past.push(structuredClone(page.state));
        if (kind === 0) page.node(1).pos = [random(99), random(99)];
        else page.node(kind).mode = random(5);
        page.report();
      } else if (kind === 3 && page.state) {
        page.state = past.pop() ?? page.state;
        page.report();
      } else if (random(3) === 0) {
        const now = random(2) === 0 ? (steps.at(-1) ?? text) : text.replace(/"a\w*"/, `"a${round}"`);
        past.length = 0;
        set(now);
      }
      await vi.advanceTimersByTimeAsync(random(4) * 100);
    }
    await vi.advanceTimersByTimeAsync(3000);
    expect(await binding.settle()).toBe(true);
    expect(page.state).toEqual({ ...(JSON.parse(text) as object), revision: 0 });
    expect(text).toContain('18446744073709551615');
    const [count, loads] = [steps.length, page.loads];
    await vi.advanceTimersByTimeAsync(10_000);
    expect([steps.length, page.loads]).toEqual([count, loads]);
  });
});

describe('a binding of a file in API format', () => {
  const prompt =
    '{"1": {"class_type": "Words", "inputs": {"text": "a", "size": 1.0}}, "2": {"class_type": "Gone", "inputs": {}}}';
  const catalog = Catalog.fromDefinitions({
    Words: {
      input: { required: { text: ['STRING', {}], size: ['FLOAT', {}] } },
      input_order: { required: ['text', 'size'] },
      output: [],
      output_name: [],
      output_node: true,
    },
  });

  beforeEach(async () => {
    binding.end();
    [text, document.catalog] = [prompt, catalog];
    binding = new CanvasBinding(() => document, view);
    connect();
    await vi.advanceTimersByTimeAsync(0);
  });
  afterEach(() => (document.catalog = undefined));

  it('loads the graph that the page makes of it, and writes what changes in its prompt', async () => {
    expect([page.imports, page.loads, steps]).toEqual([1, 1, []]);
    page.node(1).widgets_values[0] = 'b';
    page.report();
    await binding.settle();
    expect(text).toBe(prompt.replace('"a"', '"b"'));
    expect(said.size).toBe(0);
  });

  it('says once that places are not kept, and keeps them as long as the page is open', async () => {
    page.node(1).pos = [5, 5];
    page.report();
    await binding.settle();
    expect([text, said.get('edit')]).toEqual([prompt, expect.stringContaining('positions')]);
    page.node(1).widgets_values[0] = 'b';
    page.report();
    await binding.settle();
    page.node(1).pos = [6, 6];
    page.report();
    await binding.settle();
    expect(said.size).toBe(0);
    // VS Code's undo.
    await outside(prompt);
    expect([page.imports, page.node(1).pos, page.node(1).widgets_values]).toEqual([1, [5, 5], ['a', 1]]);
    await outside(prompt.replace('"a"', '"c"'));
    expect([page.imports, page.node(1).widgets_values]).toEqual([2, ['c', 1]]);
  });

  it('says nothing of what a run changes in the page', async () => {
    page.by = 'queue';
    page.node(1).widgets_values[1] = 7;
    page.report();
    await binding.settle();
    expect([text, said.size]).toEqual([prompt, 0]);
  });

  it('takes no graph that nobody asked for', async () => {
    page.say({ type: 'imported', load: page.load, state: '{}' });
    await binding.settle();
    expect([page.loads, page.state?.nodes.length]).toEqual([1, 2]);
  });

  it('is made a graph again for other definitions', async () => {
    connect();
    await vi.advanceTimersByTimeAsync(0);
    expect([page.imports, page.loads]).toEqual([0, 1]);
    binding.forgetGraphs();
    connect();
    await vi.advanceTimersByTimeAsync(0);
    expect([page.imports, page.loads]).toEqual([1, 1]);
  });

  it('is not edited by a page that knows no definitions', async () => {
    document.catalog = undefined;
    await outside(prompt.replace('"a"', '"d"'));
    expect(said.get('text')).toContain('API format');
  });
});
