import { recordTime, type RunRecord } from '../records/runRecord';
import { mediaKind } from '../protocol/outputRecord';
import type { MediaFacts, MediaKind } from '../protocol/outputFile';
import { isRecord } from '../protocol/wire';
import { budgets } from '../safety/budgets';
import { plainText } from '../safety/plainText';

export interface RecordPlace {
  readonly folder: number;
  readonly record: string;
}

/** The part of a run record that a ledger keeps: small, because there are thousands. */
export interface RunEntry extends RecordPlace {
  readonly job: string | undefined;
  readonly server: string;
  readonly files: readonly EntryFile[];
}

/** One output of a run, as the gallery lists it. */
export interface EntryFile {
  /** Unique in a ledger; never used again. */
  readonly id: number;
  readonly folder: number;
  readonly name: string;
  readonly record: string;
  readonly kind: MediaKind;
  /** When its run was sent, ms since the epoch. */
  readonly time: number;
  readonly label: string;
  readonly server: string;
  readonly batch?: string | undefined;
  readonly seeds: readonly string[];
  readonly sha256: string;
  readonly bytes: number;
  readonly facts?: MediaFacts | undefined;
  readonly credits?: number | undefined;
  /** Lower-case texts of its prompt, cut; one string for all outputs of a run. */
  readonly search: string;
}

/** Longer texts of a record are cut: anyone may have written it. */
const longest = 200;
const mostSeeds = 50;

export function createRunEntry(place: RecordPlace, record: RunRecord, nextId: () => number): RunEntry {
  const { job, server } = record;
  return {
    ...place,
    job: job !== undefined && job.length <= longest ? job : undefined,
    server: short(server),
    files: filesOf(place, record, nextId),
  };
}

function filesOf(place: RecordPlace, record: RunRecord, nextId: () => number): readonly EntryFile[] {
  if (record.files.length === 0) return [];
  const time = timeOf(place.record, record);
  const { music } = record;
  const search = music ? musicText(music) : searchText(record.promptText);
  const seeds = [...new Set(Object.values(record.seeds))].slice(0, mostSeeds).map(short);
  const label = short(plainText(record.label));
  const server = short(record.server);
  const batch = record.batch && short(record.batch.id);
  // No disk has longer names.
  const files = new Map(record.files.flatMap((file) => (file.name.length > 255 ? [] : [[file.name, file]])));
  return [...files.values()].map(({ name, sha256, bytes, facts }) => ({
    ...place,
    id: nextId(),
    name,
    kind: mediaKind(name, undefined, ''),
    time,
    label,
    server,
    batch,
    seeds,
    sha256: short(sha256),
    bytes,
    facts,
    credits: record.price?.credits,
    search,
  }));
}

function short(text: string): string {
  return ownText(text, longest);
}

/** The end of a record's name: `-<yyyyMMdd-HHmmss>`, in local time, and what keeps names apart. */
const stamped = /-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?: \(\d+\))?\.run\.json$/;

/** When a run was sent, by the name of its record: ms since the epoch; 0 for another name. */
export function stampedTime(name: string): number {
  const [, year, month, day, hour, minute, second] = (stamped.exec(name) ?? []).map(Number);
  if (year === undefined || month === undefined) return 0;
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}

function timeOf(name: string, { sentAt, submittedAt, endedAt }: RunRecord): number {
  return recordTime(sentAt ?? submittedAt ?? endedAt) ?? stampedTime(name);
}

/** A longer prompt is not searched: reading it would take noticeably long. */
const longestPrompt = 2_000_000;
/** Characters of one text. */
const longestText = 400;

/** The texts in the inputs of a prompt, longest first, in lower case and cut. */
function searchText(promptText: string | undefined): string {
  if (promptText === undefined || promptText.length > longestPrompt) return '';
  const texts = new Set(textsIn(promptText));
  const cut = [...texts].sort((a, b) => b.length - a.length).map((text) => ownText(text, longestText));
  return ownText(cut.join('\n'), budgets.shownText).toLowerCase();
}

/** The start of a text, without the rest: what `slice` returns keeps the entire text in memory. */
function ownText(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text.slice(0, most)).join('');
}

function musicText({ prompt, tags }: NonNullable<RunRecord['music']>): string {
  return ownText([prompt, ...tags].join('\n'), budgets.shownText).toLowerCase();
}

function textsIn(promptText: string): readonly string[] {
  try {
    return membersOf(JSON.parse(promptText)).flatMap((node) => {
      const inputs = isRecord(node) ? membersOf(node['inputs']) : [];
      return inputs.filter((value) => typeof value === 'string');
    });
  } catch {
    return [];
  }
}

function membersOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}
