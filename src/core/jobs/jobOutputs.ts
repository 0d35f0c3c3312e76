import { collectOutputs, type OutputRecords } from '../protocol/outputRecord';
import type { Job, JobFile, JobText } from './job';
import { submittedNodeId } from './jobNodes';

/** A node that prints without end must not fill the memory. */
const mostTexts = 200;
const longestText = 20_000;

const byNumbers = new Intl.Collator('en', { numeric: true });

/**
 * The job with what nodes gave out, each file and text once. The order is by node and by place in the node's record,
 * whichever way and order they were learned in.
 */
export function withOutputs(
  job: Job,
  records: OutputRecords,
  displayNodes: Readonly<Record<string, string>>,
): Job {
  const { files, texts } = collectOutputs(records, displayNodes);
  if (files.length === 0 && texts.length === 0) return job;
  const outputs = union(job.outputs, placed(files), fileKey, byPlace);
  const kept = union(job.texts, placed(texts.map(capped)), textKey, byPlace);
  if (outputs === job.outputs && kept === job.texts) return job;
  return { ...job, outputs, texts: kept.slice(0, mostTexts) };
}

type Placed = JobFile | JobText;

/** Counts the items of each node. */
function placed<T extends { readonly nodeId: string }>(
  items: readonly T[],
): (T & { readonly index: number })[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const index = counts.get(item.nodeId) ?? 0;
    counts.set(item.nodeId, index + 1);
    return { ...item, index };
  });
}

/** Both lists as one; `known` itself when `news` adds nothing. */
function union<T extends Placed>(
  known: readonly T[],
  news: readonly T[],
  key: (item: T) => string,
  order: (a: T, b: T) => number,
): readonly T[] {
  const all = new Map(known.map((item) => [key(item), item]));
  let changed = false;
  for (const item of news) {
    const old = all.get(key(item));
    const merged = old ? fuller(old, item) : item;
    if (merged === old) continue;
    all.set(key(item), merged);
    changed = true;
  }
  return changed ? [...all.values()].sort(order) : known;
}

/** The one that tells more, at the later place: a piece of a record counts from 0, the whole record does not. */
function fuller<T extends Placed>(a: T, b: T): T {
  const better = weight(b) > weight(a) ? b : a;
  const index = Math.max(a.index ?? 0, b.index ?? 0);
  return better.index === index ? better : { ...better, index };
}

/** Compares as a text: more fields first, then whatever makes the choice the same every time. */
function weight(item: Placed): string {
  const fields = Object.entries(item)
    .filter(([name]) => name !== 'index')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${String(fields.length).padStart(3, '0')}${JSON.stringify(fields)}`;
}

function byPlace(a: Placed, b: Placed): number {
  return (
    byNumbers.compare(submittedId(a), submittedId(b)) ||
    byNumbers.compare(a.nodeId, b.nodeId) ||
    (a.index ?? 0) - (b.index ?? 0) ||
    byNumbers.compare(name(a), name(b)) ||
    (name(a) < name(b) ? -1 : 1)
  );
}

function submittedId(item: Placed): string {
  return submittedNodeId(item.nodeId, item.displayNodeId);
}

function name(item: Placed): string {
  return 'filename' in item ? fileKey(item) : item.text;
}

function fileKey(file: JobFile): string {
  return `${file.area}/${file.subfolder}/${file.filename}`;
}

function textKey(text: JobText): string {
  return `${text.nodeId}\n${text.text}`;
}

function capped(text: JobText): JobText {
  return text.text.length <= longestText ? text : { ...text, text: `${text.text.slice(0, longestText)}…` };
}
