import { countAt } from '../safety/lists';
import type { OutputFile } from '../protocol/outputFile';
import { collectOutputs, type OutputRecords } from '../protocol/outputRecord';
import { budgets } from '../safety/budgets';
import type { Job, JobFile } from './job';
import { submittedNodeId } from './jobNodes';

/** A node that prints without end must not fill the memory. */
const mostTexts = 200;
const longestText = 20_000;

let collator: Intl.Collator | undefined;

/** Not made before there are two to compare: collation takes 3 MB. */
function byNumbers(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}

/** Each file and text once, by node and by position in the node's record. */
export function withOutputs(
  job: Job,
  records: OutputRecords,
  displayNodes: Readonly<Record<string, string>>,
): Job {
  const displayIds = new Map(Object.entries(displayNodes));
  const shownId = (id: string) => displayIds.get(id) ?? submittedNodeId(job, { nodeId: id });
  const { files, texts, isMisnamed } = collectOutputs(records, shownId);
  const known = isMisnamed && !job.misnamed ? { ...job, misnamed: true as const } : job;
  if (files.length === 0 && texts.length === 0) return known;
  return withKnownOutputs(known, placed(files), placed(texts.map(capped)));
}

/** The job itself if it has them all. */
export function withKnownOutputs(job: Job, files: readonly JobFile[], texts: Job['texts']): Job {
  const outputs = union(job.outputs, files, jobFileKey);
  const joined = union(job.texts, texts, ({ part, nodeId, text }) => `${part ?? nodeId}\n${text}`);
  if (outputs === job.outputs && joined === job.texts) return job;
  return { ...job, outputs, texts: joined.slice(0, mostTexts) };
}

type Text = Job['texts'][number];
type Placed = JobFile | Text;

function placed<T extends { readonly nodeId: string }>(
  items: readonly T[],
): (T & { readonly index: number })[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const index = countAt(counts, item.nodeId);
    counts.set(item.nodeId, index + 1);
    return { ...item, index };
  });
}

/** Index of a list by key. A list extended from another one takes over its index, so that it need not be rebuilt. */
const indexes = new WeakMap<readonly Placed[], Map<string, Placed>>();

/** Nothing is sorted or indexed again: a server may report outputs one by one. `known` itself if nothing is new. */
function union<T extends Placed>(
  known: readonly T[],
  news: readonly T[],
  key: (item: T) => string,
): readonly T[] {
  const made = indexes.get(known) as Map<string, T> | undefined;
  const index = made ?? new Map(known.map((item) => [key(item), item]));
  let next: T[] | undefined;
  for (const item of news) {
    const old = index.get(key(item));
    const merged = old ? fuller(old, item) : item;
    if (merged === old || (!old && index.size > budgets.outputFiles)) continue;
    next ??= [...known];
    if (old) next.splice(placeIn(next, old), 1);
    next.splice(placeIn(next, merged), 0, merged);
    index.set(key(item), merged);
  }
  if (!next) return known;
  indexes.delete(known);
  indexes.set(next, index);
  return next;
}

function placeIn(list: readonly Placed[], item: Placed): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const there = list[middle];
    if (there !== undefined && byPlace(there, item) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The more complete one, at the later position: a piece of a record counts from 0, the full record does not. */
function fuller<T extends Placed>(a: T, b: T): T {
  const better = weight(b) > weight(a) ? b : a;
  const index = Math.max(indexInRecord(a), indexInRecord(b));
  return better.index === index ? better : { ...better, index };
}

/** Compares as a text: more fields first, then whatever makes the choice the same every time. */
function weight(item: Placed): string {
  const fields = Object.entries(item)
    .filter(([name, value]) => name !== 'index' && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${String(fields.length).padStart(3, '0')}${JSON.stringify(fields)}`;
}

function byPlace(a: Placed, b: Placed): number {
  return (
    byNumbers(a.nodeId, b.nodeId) ||
    byNumbers(partOf(a), partOf(b)) ||
    indexInRecord(a) - indexInRecord(b) ||
    byNumbers(name(a), name(b)) ||
    (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0)
  );
}

function indexInRecord({ index = 0 }: Placed): number {
  return index;
}

function partOf(item: Placed): string {
  return ('part' in item ? item.part : undefined) ?? '';
}

function name(item: Placed): string {
  return 'filename' in item ? jobFileKey(item) : item.text;
}

export function jobFileKey(file: OutputFile): string {
  return `${file.nodeId}/${file.area}/${file.subfolder}/${file.filename}`;
}

function capped(text: Text): Text {
  return text.text.length <= longestText ? text : { ...text, text: `${text.text.slice(0, longestText)}…` };
}
