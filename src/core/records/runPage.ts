import { misnamedWords } from '../jobs/outputCount';
import { durationText, exactTime, measuredTimeText } from '../safety/timeText';
import { blockedWords } from '../jobs/failureText';
import { creditsText } from '../jobs/runPrice';
import { factsText } from '../outputs/outputWords';
import { recordStateTexts, troubleWords } from './runWords';
import { recordSpan, recordTime, type RunRecord } from './runRecord';
import { mediaKind } from '../protocol/outputRecord';
import { listText, t } from '../safety/localize';
import { plainText } from '../safety/plainText';
import { Secrets } from '../safety/secrets';
import { sizeText } from '../safety/sizeText';
import { nodeValues, type PromptReading } from './promptValues';

const most = { files: 500, texts: 100, textLength: 20_000, seeds: 500, inputs: 500, words: 100 } as const;

/** The texts of a run record in the display language; nothing in it acts. */
export type RunPage = ReturnType<typeof runPage>;

/** Records may come from outside, so everything is bounded and nothing throws. */
export function runPage(record: RunRecord) {
  const { unlisted = 0, inputs = [], warnings = [] } = record;
  const reading = record.promptText === undefined ? undefined : nodeValues(record.promptText);
  const nodes = pageNodes(record, reading);
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string =>
    names.get(plainText(id)) ?? plainText(entryOf(record.nodes, id)?.title ?? id);
  const saved = new Map(record.files.map((file) => [file.name, file]));
  const files = [...record.files, ...record.expected.filter(({ name }) => !saved.has(name))];
  return {
    title: plainText(record.label) || t`Run`,
    state: record.state,
    stateText: recordStateTexts()[record.state],
    facts: pageFacts(record, nameOf),
    price: record.price,
    seeds: Object.entries(record.seeds)
      .slice(0, most.seeds)
      .map(([place, digits]) => pageSeed(place, digits, nameOf)),
    nodes,
    moreNodes: reading?.kind === 'read' ? reading.moreNodes : 0,
    noNodes: record.music ? undefined : whyNoNodes(reading),
    files: files.slice(0, most.files).map(({ name, node, facts }) => {
      const bytes = saved.get(name)?.bytes;
      return {
        name,
        label: plainText(name),
        node: nameOf(node),
        media: mediaKind(name, undefined, ''),
        facts: factsText(facts),
        /** Missing for an output that was not saved. */
        size: bytes === undefined ? undefined : sizeText(bytes),
        bytes,
      };
    }),
    moreFiles: Math.max(0, files.length - most.files),
    /** Outputs that the server counts and does not list. */
    unlisted,
    /** Says that some can't be saved, or empty. */
    misnamed: misnamedWords(record) ?? '',
    texts: [...musicTexts(record.music), ...record.texts]
      .slice(0, most.texts)
      .map(({ node, text }) => ({ node: nameOf(node), text: plainText(text, 'kept', most.textLength) })),
    inputs: inputs.slice(0, most.inputs).map(({ name, node, path, bytes, kept }) => ({
      name: plainText(name),
      node: nameOf(node),
      path: plainText(path),
      size: sizeText(bytes),
      kept,
    })),
    warnings: warnings.slice(0, most.words).map((words) => plainText(words)),
    errors: pageErrors(record, nameOf),
  };
}

function musicTexts(music: RunRecord['music']): RunRecord['texts'] {
  if (!music) return [];
  return [
    { node: t`Text prompt`, text: music.prompt },
    ...(music.tags.length > 0 ? [{ node: t`Tags`, text: listText(music.tags) }] : []),
    ...music.summaries.map((text) => ({ node: t`Description`, text })),
  ];
}

function pageNodes(record: RunRecord, reading: PromptReading | undefined) {
  if (reading?.kind !== 'read') return [];
  return reading.nodes.map((node) => {
    const title = node.title ?? entryOf(record.nodes, node.id)?.title;
    return {
      ...node,
      name: plainText(title ?? '') || node.type || node.id,
      time: nodeTimeText(record, node.id),
    };
  });
}

function entryOf<T>(entries: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return entries && Object.hasOwn(entries, key) ? entries[key] : undefined;
}

function nodeTimeText({ nodes, price }: RunRecord, id: string): string | undefined {
  const node = entryOf(nodes, id);
  if (node?.cached) return t`cached`;
  const ran = recordSpan(node?.startedAt, node?.endedAt);
  const cost = entryOf(price?.nodes, id);
  return listText([ran === undefined ? '' : measuredTimeText(ran), creditsText(cost)]) || undefined;
}

function whyNoNodes(reading: PromptReading | undefined): string | undefined {
  switch (reading?.kind) {
    case undefined:
      return t`The record doesn't contain the workflow, because the job was submitted elsewhere.`;
    case 'tooLarge':
      return t`The workflow is too large to list its nodes.`;
    case 'unreadable':
      return t`The recorded workflow can't be read.`;
    case 'read':
      return undefined;
  }
}

/** `nodeId.input`: IDs of nodes contain no dot. */
function pageSeed(place: string, digits: string, nameOf: (id: string) => string) {
  const dot = place.indexOf('.');
  const [id, input] = dot < 0 ? [place, ''] : [place.slice(0, dot), place.slice(dot + 1)];
  return { node: nameOf(id), input: plainText(input), digits: plainText(digits, 'one line', 5_000) };
}

function pageFacts(record: RunRecord, nameOf: (id: string) => string) {
  const { sourceUri, job, madeBy, targets, music } = record;
  const took = recordSpan(record.startedAt, record.endedAt);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t`Server`, serverText(record)],
    [t`Submitted`, whenText(record.sentAt ?? record.submittedAt)],
    [t`Ended`, whenText(record.endedAt)],
    [t`Duration`, took === undefined ? undefined : durationText(took)],
    [
      t`Cost`,
      music && !music.charged ? t`Nothing was charged (sandbox)` : creditsText(record.price?.credits),
    ],
    [t`Workflow`, sourceUri],
    [t`Run up to`, targets?.slice(0, most.words).map(nameOf).join(', ')],
    [t`Job`, job],
    [t`Created by`, madeBy],
  ];
  return facts.flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [{ name, text: plainText(text) }],
  );
}

function serverText({ server: address, serverKind, serverVersion }: RunRecord): string {
  const server = new Secrets().scrub(address);
  const name = serverVersion === undefined ? 'ComfyUI' : `ComfyUI ${serverVersion}`;
  switch (serverKind) {
    case 'sandbox':
      return t`Sandbox`;
    case 'cloud':
      return t`Comfy Cloud (${server})`;
    case 'local':
      return `${name} (${server})`;
    case undefined:
      return server;
  }
}

function pageErrors(record: RunRecord, nameOf: (id: string) => string): string[] {
  const { error, music, blocked = [] } = record;
  const trouble = troubleWords(record);
  const words: string[] = [];
  if (error) {
    const message = plainText(error.message);
    const node = error.node === undefined ? undefined : nameOf(error.node);
    words.push(node === undefined ? message : `${node}: ${message}`);
  }
  for (const { node, message } of blocked.slice(0, most.words))
    words.push(blockedWords({ message }, node === undefined ? t`A branch` : nameOf(node)));
  if (music && !music.complete) words.push(t`The stream ended early, so the music is incomplete.`);
  if (trouble !== undefined) words.push(plainText(trouble));
  return words;
}

function whenText(time: string | undefined): string | undefined {
  const at = recordTime(time);
  return at === undefined ? undefined : exactTime(at);
}
