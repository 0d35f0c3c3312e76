import * as z from 'zod';
import type { ChangedDrawing } from '../../core/drawing/changedDrawing';
import type { RowField } from '../../core/drawing/rowValue';
import { graphActs, largestGiven, type pageActs } from './constants';

/**
 * The messages between the page of a graph and the extension host. The page speaks first (`ready`); the host sends the
 * drawing again whenever the text or the node definitions change. Nodes have the IDs that they have in the whole
 * workflow: `outer:inner` inside a subgraph.
 */

/** A level on the way to the one that is shown. */
export interface GraphCrumb {
  /** The ID of the instance; empty for the root. */
  readonly inside: string;
  readonly title: string;
}

export type GraphSeverity = 'error' | 'warning' | 'information';

/** A finding of the check about a node, worst first. */
export interface GraphFinding {
  readonly node: string;
  readonly severity: GraphSeverity;
  readonly text: string;
}

/** Findings of a node with what mends them: by the fix's ID, as long as the drawing is the same. */
export interface NodeProblems {
  readonly findings: readonly GraphFinding[];
  /** Undefined until they are known. */
  readonly fixes?: readonly { readonly id: number; readonly title: string }[] | undefined;
}

export type GraphNodeState = 'waiting' | 'cached' | 'running' | 'done' | 'failed';

/** The state of a drawn node in the run that is shown; an instance stands for all inside it. */
export interface GraphNodeRun {
  readonly node: string;
  /** Missing for a node that the server skips, and for one that a run which is over did not finish. */
  readonly state?: GraphNodeState | undefined;
  /** A few characters: its step, or how long it took. */
  readonly note: string;
  /** Says the same to whoever can't see its color. */
  readonly words: string;
  /** The share of its steps that are done, 0 to 1. */
  readonly share?: number | undefined;
  readonly reason?: string | undefined;
  /** Its first output on disk that is an image, and how many more it has; else the one that it loads. */
  readonly picture?:
    | {
        readonly source: string;
        readonly name: string;
        readonly more: number;
        /** No file is here to be opened. */
        readonly isRemote?: boolean;
      }
    | undefined;
}

export interface GraphRun {
  readonly jobId: string;
  /** The name of the run and its time. */
  readonly name: string;
  /** How it stands, first what changes. */
  readonly words: string;
  readonly nodes: readonly GraphNodeRun[];
}

export interface NamedImage {
  readonly node: string;
  readonly name: string;
  readonly source?: string | undefined;
}

/** The data for an editor in a row. */
export interface RowEditor {
  readonly node: string;
  readonly input: string;
  readonly label: string;
  readonly field: RowField;
  readonly text: string;
}

export type GraphAct = (typeof graphActs)[number];
export type PageAct = (typeof pageActs)[number];

export interface GraphFound {
  readonly node: string;
  /** The number, from 1. */
  readonly number: number;
  readonly count: number;
  /** The titles of the subgraph nodes that it is inside of; empty for the root. */
  readonly where: string;
}

export type ToGraph =
  | {
      readonly type: 'draw';
      /** After the one that was sent before; whole for a page that has just said that it is ready. */
      readonly drawing: ChangedDrawing;
      readonly crumbs: readonly GraphCrumb[];
      /** Its nodes can be muted and bypassed: it is no prompt. */
      readonly hasModes?: boolean | undefined;
      /** Why something of it can't be drawn as on the page. */
      readonly hint?: string | undefined;
      /** The node at the cursor, on a level that was not shown before. */
      readonly at?: string | undefined;
    }
  /** Answers `find`, after the level is drawn; `null` if nothing is found. */
  | { readonly type: 'found'; readonly text: string; readonly found: GraphFound | null }
  /** The text can't be drawn: the page keeps its last drawing. */
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'findings'; readonly findings: readonly GraphFinding[] }
  /** Answers `findFixes`. */
  | { readonly type: 'fixes'; readonly node: string; readonly problems: readonly NodeProblems[] }
  /** Answers the act `edit` of a row. What has no editor is shown in the text. */
  | { readonly type: 'editor'; readonly editor: RowEditor }
  /** A change of a row was refused. */
  | {
      readonly type: 'refused';
      readonly node: string;
      readonly input: string;
      readonly words: string;
      readonly leadsTo?: 'node' | 'text' | undefined;
    }
  /** The images that inputs of drawn nodes name. Those without a source are on the server, to be asked for in sight. */
  | { readonly type: 'images'; readonly images: readonly NamedImage[] }
  /** Answers `findImage`. */
  | {
      readonly type: 'image';
      readonly node: string;
      readonly name: string;
      readonly mime: string;
      readonly image: Uint8Array<ArrayBuffer>;
    }
  | { readonly type: 'act'; readonly act: PageAct; readonly node?: string | undefined }
  | { readonly type: 'select'; readonly node: string }
  /** The run that is shown on the nodes; `null` for none. */
  | { readonly type: 'run'; readonly run: GraphRun | null }
  /** A preview of a running node, to be answered with `framePainted`. */
  | {
      readonly type: 'frame';
      readonly serial: number;
      readonly jobId: string;
      readonly node: string;
      readonly mime: string;
      readonly image: Uint8Array<ArrayBuffer>;
    };

const name = z.string().max(1_000);
const value = z.string().max(1_000_000);
const row = { node: name, input: name };
const room = z.object({ width: z.number(), height: z.number() });
const content = z.instanceof(Uint8Array).refine(({ length }) => length <= largestGiven);

const looks = [
  /** What the page showed before a reload; empty for the root. A drawing without places is laid out for the room. */
  z.object({ type: z.literal('ready'), inside: name, room: room.optional() }),
  z.object({ type: z.literal('open'), inside: name }),
  z.object({
    type: z.literal('goTo'),
    node: z.string(),
    input: z.string().optional(),
    takesFocus: z.boolean(),
  }),
  /** Searches all levels, from the selected node on: for the next (1) or the one before (-1); 0 stays if it can. */
  z.object({ type: z.literal('find'), text: name, from: name.optional(), by: z.literal([1, 0, -1]) }),
] as const;

/** The requests of a page whose graph can't be changed. */
export const lookMessages = z.discriminatedUnion('type', looks);

export const graphMessages = z.discriminatedUnion('type', [
  ...looks,
  /** Runs the workflow, saves it, shows the node that the last refusal leads to, opens or hides the shown run. */
  z.object({ type: z.enum(['run', 'save', 'goToOrigin', 'openRun', 'hideRun']) }),
  /** Asks for the quick fixes of a node's findings, or for its image on the server. */
  z.object({ type: z.enum(['findFixes', 'findImage']), node: name }),
  z.object({ type: z.literal('selected'), node: name.optional() }),
  z.object({ type: z.literal('framePainted'), serial: z.number() }),
  z.object({ type: z.literal('act'), act: z.enum(graphActs), node: name, row: name.optional() }),
  /** A file was dropped or pasted onto a node: its content, or its address in the workspace. */
  z.object({
    type: z.literal('useImage'),
    node: name,
    file: z.union([value, z.object({ name, content })]),
  }),
  z.object({ type: z.literal('fix'), id: z.int().nonnegative() }),
  z.object({ type: z.literal('change'), ...row, from: value, to: value }),
  z.object({ type: z.literal('step'), ...row, by: z.literal([1, -1]) }),
]);
export type FromGraph = z.infer<typeof graphMessages>;

/** The place of a context menu, as the page's menus report it. */
export const menuPlace = z.object({ node: name.optional(), row: z.string().optional() });
