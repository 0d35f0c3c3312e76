import * as z from 'zod';
import { indented, onOneLine } from '../json/indentedText';
import { indexMembers } from '../json/memberIndex';
import { findExceededLimit, JsonLimitError, readJson, type Skipped } from '../json/boundedJson';
import { mediaKinds, readAssetIds, readMediaFacts } from '../protocol/outputFile';
import { isRecord, type Kept, wireList, wireRecord, wireTexts } from '../protocol/wire';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import { isSafeSegment } from '../outputs/outputNames';
import { outputErrorReasons } from '../outputs/outputError';
import { serverErrorReasons } from '../protocol/serverError';

/**
 * `sending`: the prompt is about to be sent, or its answer was lost; `submitted`: the server has it; `saving`: it has
 * ended and its outputs are being saved; `incomplete`: it has ended and some of them could not be saved. These four are
 * owed. The others are final: `saved` with everything on disk, `failed`, `cancelled`, `lost` for a job that the server
 * does not know or that was given up, and `outputsUnknown`, which is of format 4: it completed, and events that told of
 * its outputs may have been missed.
 */
const states = [
  ...(['sending', 'submitted', 'saving', 'incomplete', 'saved', 'failed', 'cancelled', 'lost'] as const),
  'outputsUnknown',
] as const;

/**
 * `neverAccepted`: the server has no job for the prompt; `forgotten`: it no longer has the job; `sandboxEnded`: its
 * sandbox ended with its window or command; `givenUp`: the person forgot it; `moved`: another server runs the row.
 */
export type LostWhy = (typeof lostWhys)[number];
const lostWhys = ['neverAccepted', 'forgotten', 'sandboxEnded', 'givenUp', 'moved'] as const;

/** Why outputs are not on disk: that of the first which failed. `interrupted`: the saving was ended before. */
export type NotSavedWhy = (typeof notSavedWhys)[number];
const notSavedWhys = ['interrupted', ...outputErrorReasons, ...serverErrorReasons] as const;

/** Leaves out what else the caller knows of it, such as its content. */
export function inputFacts(known: RecordedInput): RecordedInput {
  const { node, input, name, asset, path, bytes, sha256, kept } = known;
  return { node, input, name, asset, path, bytes, sha256, kept };
}

/** Includes those that the server does not list. */
export function outputsMade({ expected, unlisted = 0 }: Pick<RunRecord, 'expected' | 'unlisted'>): number {
  return expected.length + unlisted;
}

/** Something of the run is not on disk yet, or that is unknown. */
export function isOwed({ state }: Pick<RunRecord, 'state'>): boolean {
  return state === 'sending' || state === 'submitted' || state === 'saving' || state === 'incomplete';
}

/** Ms since the epoch. */
export function recordTime(text: string | undefined): number | undefined {
  const time = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Ms between two times of a record. */
export function recordSpan(from: string | undefined, to: string | undefined): number | undefined {
  const [start, end] = [recordTime(from), recordTime(to)];
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}

const limits = { bytes: budgets.runRecord, values: budgets.fileValues };

/** A longer prompt is written on one line: laying it out would take too long. */
const longestLaidOut = 4_000_000;

/** The prompt and the graph are objects in it, for people and Git, unless that would make it unreadable. */
export function writeRunRecord(record: RunRecord): Uint8Array {
  const { promptText, workflowText, ...rest } = record;
  const prompt = promptText === undefined ? undefined : embedded(promptText, 'laidOut');
  const workflow = workflowText === undefined ? undefined : embedded(workflowText, 'oneLine');
  const format = record.state === 'outputsUnknown' ? 4 : 3;
  const known = { ...rest, format, ...(prompt === undefined && { promptText }) };
  const members = [member('prompt', prompt), member('workflow', workflow)].join('');
  const text = JSON.stringify(known, undefined, 2).replace(/\n\}$/, () => `${members}\n}\n`);
  return new TextEncoder().encode(text);
}

/** Whether what `writeRunRecord` made can be read again. */
export function fitsRecord(bytes: Uint8Array): boolean {
  return findExceededLimit(new TextDecoder('latin1').decode(bytes), limits) === undefined;
}

function member(name: string, text: string | undefined): string {
  return text === undefined ? '' : `,\n  "${name}": ${text}`;
}

type Layout = 'laidOut' | 'oneLine';

/** The last texts: a record is written many times with the same ones. */
let lately: readonly { text: string; layout: Layout; embedded: string | undefined }[] = [];

function embedded(text: string, layout: Layout): string | undefined {
  const before = lately.find((each) => each.text === text && each.layout === layout);
  if (before) return before.embedded;
  const made = { text, layout, embedded: isReadable(text) ? asMember(text, layout) : undefined };
  lately = [...lately.slice(-1), made];
  return made.embedded;
}

function isReadable(text: string): boolean {
  try {
    return isRecord(readJson(text, { ...limits, values: limits.values / 4 }, ''));
  } catch {
    return false;
  }
}

function asMember(text: string, layout: Layout): string {
  if (layout === 'laidOut' && text.length <= longestLaidOut) return indented(text).replaceAll('\n', '\n  ');
  return onOneLine(text);
}

/** Anyone may have edited or sent a record: names that lead out of its folder are rejected. */
const name = z.string().refine(isSafeSegment);
const asset = z.unknown().optional().transform(readAssetIds);
const expected = z.object({
  name,
  node: z.string(),
  area: z.string(),
  /** Name on the server, with its subfolder. */
  original: z.string(),
  /** The kind of media, if the name doesn't show it. */
  media: z.enum(mediaKinds).optional().catch(undefined),
  displayName: z.string().optional().catch(undefined),
  facts: z.unknown().optional().transform(readMediaFacts),
  asset,
});
const file = expected.extend({ sha256: z.string(), bytes: z.number() });
/** A row of a batch. `moved`: another server has it now. */
const batchPlace = z.object({
  id: z.string(),
  row: z.number().int().min(0),
  moved: z.literal(true).optional(),
});

const input = z.object({
  node: z.string(),
  input: z.string(),
  /** Its name in the prompt as posted: what the server calls it. */
  name: z.string(),
  asset,
  path: z.string(),
  bytes: z.number(),
  /** SHA-256 (hex) of its content at the run. */
  sha256: z.string(),
  kept: name.optional(),
});

const node = z.object({
  title: z.string().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  cached: z.literal(true).optional(),
});

const error = z.object({
  message: z.string(),
  /** Python's or the cloud's name of the error. */
  kind: z.string().optional(),
  node: z.string().optional(),
  nodeType: z.string().optional(),
  /** Lines of the server's own program, the call that failed last. */
  traceback: wireTexts.optional().catch(undefined),
});

/** A record from elsewhere may have more digits than a page has room for. */
const credits = z.number().min(0).max(1e15);

/** Anything else that a newer version wrote differently is left out: the outputs and what is owed must stay readable. */
const run = z.object({
  format: z.literal([3, 4]).transform(() => 3 as const),
  server: z.string(),
  label: z.string().transform((label) => label.slice(0, budgets.shownText)),
  sourceUri: z.string().optional(),
  /** SHA-256 (hex) of the workflow file's text at the run. */
  sourceHash: z.string().optional(),
  /** The prompt as posted, digit for digit; missing for a job submitted elsewhere. */
  promptText: z.string().optional(),
  /** `nodeId.input` -> digits. */
  seeds: wireRecord(z.string()),
  submittedAt: z.string().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  /** The outputs of `expected` that are on disk. */
  files: wireList(file),
  texts: wireList(z.object({ node: z.string(), text: z.string() })),
  state: z.enum(states),
  /** Missing until the server has accepted the prompt. */
  job: z.string().min(1).optional(),
  /** The id that was sent along, by which the job is found when the answer was lost. */
  promptId: z.string().optional(),
  targets: wireTexts.optional(),
  /** Output nodes that no event has reported yet, on a server that lists no outputs. */
  outputNodes: wireTexts.optional().catch(undefined),
  batch: batchPlace.optional().catch(undefined),
  sentAt: z.string().optional(),
  /** Known once the job has ended; before that, what events told on a server that lists none. */
  expected: wireList(expected),
  /** These are not saved, such as those of preview nodes. */
  temporary: wireList(expected.omit({ name: true }))
    .optional()
    .catch(undefined),
  /** How many more outputs the server counts than it lists. */
  unlisted: z.number().int().positive().optional().catch(undefined),
  madeBy: z.string().optional().catch(undefined),
  serverKind: z.enum(['cloud', 'local', 'sandbox']).optional().catch(undefined),
  serverVersion: z.string().optional().catch(undefined),
  inputs: wireList(input).optional().catch(undefined),
  warnings: wireTexts.optional().catch(undefined),
  nodes: wireRecord(node).optional().catch(undefined),
  price: z
    .object({ credits, nodes: wireRecord(credits) })
    .optional()
    .catch(undefined),
  error: error.optional().catch(undefined),
  /** Branches that were blocked: the run went on without them. */
  blocked: wireList(error).optional().catch(undefined),
  notices: wireList(z.object({ text: z.string(), at: z.string() }))
    .optional()
    .catch(undefined),
  /** The part of the prompt that the server skips: output nodes, and every node that only they need. */
  leftOut: z.object({ outputs: wireTexts, nodes: wireTexts }).optional().catch(undefined),
  /** The server listed outputs without a usable name. */
  misnamed: z.literal(true).optional().catch(undefined),
  /** SHA-256 (hex) of what the workflow means. */
  promptHash: z.string().optional().catch(undefined),
  /** How the job ended, while not all of its outputs are on disk. */
  jobState: z.enum(['completed', 'failed', 'cancelled']).optional().catch(undefined),
  why: z.enum(lostWhys).optional().catch(undefined),
  notSaved: z.enum(notSavedWhys).optional().catch(undefined),
});

export type RecordedInput = Kept<z.output<typeof input>>;

/**
 * How the files next to it were made, and what is still missing: docs/run-record.md. Times are ISO 8601 strings in UTC.
 * Contains no credential (the prompt is what was posted, without `extra_data`) and no absolute path.
 */
export interface RunRecord extends Kept<z.output<typeof run>> {
  readonly workflowText?: string | undefined;
  /** Music is made from words, not from nodes. */
  readonly music?: MusicFacts | undefined;
}

interface MusicFacts {
  readonly prompt: string;
  /** As requested, in seconds. */
  readonly duration: number;
  /** False: the stream broke off. */
  readonly complete: boolean;
  readonly tags: readonly string[];
  readonly summaries: readonly string[];
  /** False: a sandbox made it. */
  readonly charged: boolean;
}

/** The record of music, as `saveTracks` writes it: a run that was saved, and has no prompt of nodes. */
const music = z
  .object({
    format: z.literal(1),
    kind: z.literal('music'),
    server: z.string(),
    prompt: z.string(),
    duration: z.number(),
    complete: z.boolean(),
    startedAt: z.string(),
    endedAt: z.string(),
    creditsUsed: credits.optional().catch(undefined),
    charged: z.boolean().optional().catch(undefined),
    tracks: wireList(
      z.object({
        name,
        sha256: z.string(),
        bytes: z.number(),
        seconds: z.number().min(0).optional().catch(undefined),
        title: z.string().optional().catch(undefined),
        tags: wireTexts.optional().catch(undefined),
        summary: z.string().optional().catch(undefined),
      }),
    ),
  })
  .transform(({ server, prompt, duration, complete, tracks, charged = true, ...known }): RunRecord => {
    const { startedAt, endedAt, creditsUsed } = known;
    const files = tracks.map(({ name, sha256, bytes, seconds, title = '' }) => {
      const output = { node: title, area: 'output', original: name, facts: { duration: seconds } };
      return { name, sha256, bytes, ...output };
    });
    return {
      ...{ format: 3, state: 'saved', server, startedAt, endedAt, sentAt: startedAt },
      label: (tracks[0]?.title ?? prompt).slice(0, budgets.shownText),
      price: creditsUsed === undefined || !charged ? undefined : { credits: creditsUsed, nodes: {} },
      ...{ seeds: {}, texts: [], files, expected: files },
      music: {
        ...{ prompt, duration, complete, charged },
        tags: [...new Set(tracks.flatMap(({ tags = [] }) => tags))],
        summaries: tracks.map(({ summary }) => summary).filter((summary) => summary !== undefined),
      },
    };
  });

/**
 * Undefined for any other text, including another version's format.
 * @param skipped called with the reason why a text isn't a record
 */
export function readRunRecord(text: string, name = '', skipped?: Skipped): RunRecord | undefined {
  let problem = new Error(t`${name} is not a run record, or another version of Comfy Deck wrote it.`);
  try {
    const value = readJson(text, limits, name);
    const record: RunRecord | undefined = (
      isRecord(value) && value['kind'] === 'music' ? music : run
    ).safeParse(value).data;
    if (record) return record.promptText === undefined && !record.music ? withTexts(record, text) : record;
  } catch (error) {
    if (error instanceof JsonLimitError) problem = error;
  }
  skipped?.(problem);
  return undefined;
}

function withTexts(record: RunRecord, text: string): RunRecord {
  const members = indexMembers(text);
  const objectAt = (name: string): string | undefined => {
    const range = members.get(name);
    return range && text[range.start] === '{' ? text.slice(range.start, range.end) : undefined;
  };
  return { ...record, promptText: objectAt('prompt'), workflowText: objectAt('workflow') };
}
