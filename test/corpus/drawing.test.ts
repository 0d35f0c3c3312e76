import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import type { Drawing } from '../../src/core/drawing/drawing';
import { drawInside, loadDrawing } from '../../src/core/drawing/drawWorkflow';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import type { LiveLevel } from '../../src/core/workflow/graph/liveNode';
import { corpusFolder, corpusNote, corpusText } from '../support/corpus';

interface RealSlot {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

interface RealNode {
  readonly pos: readonly [number, number];
  readonly size: readonly [number, number];
  readonly title: string;
  readonly collapsed: boolean;
  /** The width of a collapsed node. */
  readonly cw?: number;
  readonly inputs: readonly RealSlot[];
  readonly outputs: readonly RealSlot[];
  readonly widgets: readonly {
    readonly name: string;
    readonly y: number;
    readonly h: number;
    readonly type: string;
    /** As shown. */
    readonly text?: string;
    readonly hidden?: boolean;
  }[];
}

interface RealLevel {
  readonly nodes: Readonly<Record<string, RealNode>>;
  readonly links: readonly {
    readonly from: readonly [string, number];
    readonly to: readonly [string, number];
    readonly path?: readonly number[];
    readonly segs?: readonly { readonly path?: readonly number[] }[];
    readonly undrawn?: boolean;
  }[];
  readonly groups: readonly { readonly title: string; readonly bounding: readonly number[] }[];
  readonly reroutes: readonly { readonly id: number; readonly pos: readonly [number, number] }[];
}

interface RealDrawing extends RealLevel {
  readonly file: string;
  readonly subgraphs?: Readonly<Record<string, RealLevel>>;
}

const isNear = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && Math.abs(one - other) <= 1;

/** Characters of the text of a widget. */
const longestListed = 41;

/** How often each kind of thing is where the page draws it, within one unit. */
class Counts {
  readonly byKind = new Map<string, { all: number; alike: number }>();
  readonly wrong = new Map<string, string[]>();

  add(kind: string, isAlike: boolean, where: string): void {
    const count = this.byKind.get(kind) ?? { all: 0, alike: 0 };
    this.byKind.set(kind, count);
    count.all++;
    if (isAlike) count.alike++;
    else this.wrong.set(kind, [...(this.wrong.get(kind) ?? []), where]);
  }

  /** @param outer what is before the IDs of the page, inside a subgraph */
  compare(drawing: Drawing, real: RealLevel, where: string, outer = ''): void {
    const nodes = new Map(drawing.nodes.map((node) => [node.id, node]));
    for (const [id, node] of Object.entries(real.nodes)) {
      const own = nodes.get(outer + id);
      const at = `${where} ${id}`;
      const width = node.collapsed ? (node.cw ?? node.size[0]) : node.size[0];
      this.add('positions', isNear(own?.x, node.pos[0]) && isNear(own?.y, node.pos[1]), at);
      this.add('widths', isNear(own?.width, width), at);
      this.add('titles', own?.title.replace('📌', '') === node.title, at);
      if (!node.collapsed) this.add('heights', isNear(own?.height, node.size[1]), at);
      for (const side of ['inputs', 'outputs'] as const) {
        for (const [index, slot] of node[side].entries()) {
          const mine = own?.[side][index];
          const isAlike = mine?.name === slot.name && isNear(mine.x, slot.x) && isNear(mine.y, slot.y);
          this.add(side, isAlike, `${at} ${slot.name}`);
        }
      }
      if (node.collapsed) continue;
      const rows = own?.rows.filter(({ isHidden }) => !isHidden) ?? [];
      for (const [index, widget] of node.widgets.filter(({ hidden }) => hidden !== true).entries()) {
        const row = rows[index];
        const isAlike = row?.name === widget.name && isNear(row.y, widget.y) && isNear(row.height, widget.h);
        this.add('widgets', isAlike, `${at} ${widget.name}`);
        const { text, type } = widget;
        // Of others, the list has the value instead of what is drawn.
        if (typeof text !== 'string' || !['number', 'combo', 'text', 'customtext'].includes(type)) continue;
        // Longer ones are cut in the list.
        const start = text.length === longestListed && text.endsWith('…') ? text.slice(0, -1) : undefined;
        const isSame = start === undefined ? row?.text === text : row?.text.startsWith(start) === true;
        this.add('texts', isSame, `${at} ${widget.name}: ${row?.text ?? ''}, not ${text}`);
      }
    }
    for (const link of real.links) {
      if (link.undrawn === true) continue;
      const mine = drawing.links.filter(
        ({ from, to }) =>
          `${from.join()} ${to.join()}` === `${outer}${link.from.join()} ${outer}${link.to.join()}`,
      );
      const paths = link.segs?.map(({ path }) => path) ?? [link.path];
      const isAlike = mine.some(({ segments }) =>
        paths.every((path, index) => {
          const own = segments[index]?.flatMap(({ x, y }) => [x, y]) ?? [];
          return path?.every((value, part) => isNear(own[part], value)) ?? true;
        }),
      );
      this.add('links', isAlike, `${where} ${link.from.join(':')} ${link.to.join(':')}`);
    }
    for (const [index, { title, bounding }] of real.groups.entries()) {
      const own = drawing.groups[index];
      const box = own && [own.x, own.y, own.width, own.height];
      const isAlike = own?.title === title && bounding.every((value, part) => isNear(box?.[part], value));
      this.add('groups', isAlike, `${where} ${title}`);
    }
    for (const { id, pos } of real.reroutes) {
      const own = drawing.reroutes.find((each) => each.id === String(id));
      this.add('reroutes', isNear(own?.x, pos[0]) && isNear(own?.y, pos[1]), `${where} ${id}`);
    }
  }
}

/** An instance of each subgraph, by the ID of its definition. */
function instancesIn(root: LiveLevel): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (level: LiveLevel, path: string): void => {
    for (const { id, inside } of level.nodes) {
      const definition = inside?.subgraph?.id;
      if (!inside || definition === undefined || found.has(definition)) continue;
      found.set(definition, `${path}${id}`);
      visit(inside, `${path}${id}:`);
    }
  };
  visit(root, '');
  return found;
}

describe.skipIf(corpusFolder === undefined)(`the drawing of real files${corpusNote}`, () => {
  it('has everything where the page draws it, within one unit', async () => {
    const catalog = Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core+24packs.json'));
    const counts = new Counts();
    for (const line of corpusText('golden_geometry.ndjson').trim().split('\n')) {
      const real = JSON.parse(line) as RealDrawing;
      const loaded = loadDrawing(
        WorkflowDocument.of(corpusText('workflows', ...real.file.split('/'))),
        catalog,
      );
      if (!loaded) throw new Error(`${real.file} is no workflow.`);
      const root = await drawInside(loaded);
      if (root) counts.compare(root, real, real.file);
      const instances = instancesIn(loaded.root);
      for (const [definition, level] of Object.entries(real.subgraphs ?? {})) {
        const inside = await drawInside(loaded, instances.get(definition));
        const outer = `${instances.get(definition) ?? ''}:`;
        if (inside) counts.compare(inside, level, `${real.file} ${definition}`, outer);
      }
    }
    for (const [kind, count] of counts.byKind) {
      const wrong = (counts.wrong.get(kind) ?? []).slice(0, 3).map((where) => `  ${where}\n`);
      process.stdout.write(`graph ${kind}: ${count.alike} of ${count.all}\n${wrong.join('')}`);
      expect(count.alike / count.all, kind).toBeGreaterThanOrEqual(0.99);
    }
  });
});
