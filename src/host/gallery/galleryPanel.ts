import * as vscode from 'vscode';
import { plainText } from '../../core/safety/plainText';
import { t } from '../../core/safety/localize';
import {
  type FromGallery,
  type GalleryCaption,
  type GalleryCommand,
  galleryMessages,
  type GalleryOutput,
  type ToGallery,
} from '../../webview/contract/gallery';
import { Panel } from '../platform/panel';
import type { Platform } from '../platform/platform';
import type { Servers } from '../servers/servers';
import { actOnOutputs } from './galleryActions';
import { SentList } from './galleryList';
import type { KeptThumbnails } from '../platform/keptThumbnails';
import { placedOutput, type Ratings } from './ratings';
import path from 'node:path';
import { type GalleryRow, runsBeside } from '../../core/gallery/galleryFilter';
import { localDay } from '../../core/safety/timeText';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordAt } from '../../core/records/findRun';
import type { RunRecord } from '../../core/records/runRecord';
import { mediaKind } from '../../core/protocol/outputRecord';
import { uriName } from '../platform/workflowSource';
import type { WindowRuns } from '../runs/windowRuns';
import { captionValues, captionWords } from '../../core/diff/captionWords';
import { isComparable, runDifferences } from '../../core/diff/valueDifferences';
import { setContext } from '../platform/contextKeys';
import { contextKeys } from '../platform/contributions';

/** While records are read, the list is sent at most this often (ms). */
const listEvery = 250;

/** The gallery: its page and its folders, and what the page asks for. */
export class GalleryPanel extends Panel<FromGallery, ToGallery> {
  readonly #sendList: () => void;
  readonly #list: SentList;
  #allowed: number;
  #compared: readonly vscode.Uri[] = [];

  constructor(
    panel: vscode.WebviewPanel,
    platform: Platform,
    private readonly runs: WindowRuns,
    private readonly ratings: Ratings,
    private readonly thumbnails: KeptThumbnails,
  ) {
    const { cspSource } = panel.webview;
    super(panel, platform, {
      title: t`Comfy Deck Gallery`,
      name: 'gallery',
      // Pictures are read to be made smaller.
      allows: { 'img-src': cspSource, 'media-src': cspSource, 'connect-src': cspSource },
      messages: galleryMessages,
      folders: runs.folders.folders,
    });
    this.#allowed = runs.folders.folders.length;
    this.#sendList = this.paced(listEvery, () => this.isReady && this.#list.send());
    this.#list = new SentList(
      runs.servers,
      runs.folders,
      ratings,
      (file) => this.address(file),
      (message) => this.post(message),
    );
    this.own(
      runs.folders.onDidChange(() => this.#onChange()),
      new vscode.Disposable(runs.runs.onDidChange((_, run) => run && this.#onChange())),
      vscode.workspace.onDidChangeWorkspaceFolders(() => runs.folders.noteChange()),
    );
  }

  async compareRuns(records: readonly vscode.Uri[]): Promise<void> {
    this.#compared = records;
    // A new folder reloads the page: it asks again, and gets the comparison then.
    this.allow([...this.runs.folders.folders, ...records.map((record) => vscode.Uri.joinPath(record, '..'))]);
    if (this.isReady) await this.#openComparison();
  }

  /** A choice in the context menu: the page knows what is selected. */
  choose(command: GalleryCommand): void {
    this.post({ type: 'command', command });
  }

  protected override async receive(message: FromGallery): Promise<void> {
    const list = this.#list;
    switch (message.type) {
      case 'ready':
        list.forget();
        list.send(message.query);
        return this.#openComparison();
      case 'query':
        list.send(message.query);
        return;
      case 'captions':
        this.post({ type: 'captions', captions: await captionsOf(message.ids, list.rows) });
        return;
      case 'compare':
        return this.#postComparison(
          list.placed(message.ids).map(({ row, record }) => ({ id: row.file.id, record })),
        );
      case 'thumbnail': {
        const { id, width } = message;
        const [output] = list.placed([id]);
        const webp = output && (await this.thumbnails.find(output.sha256, width, output.file.fsPath));
        this.post({ type: 'thumbnail', id, width, ...(webp ? { webp } : {}) });
        return;
      }
      case 'keepThumbnail': {
        const [output] = list.placed([message.id]);
        if (output && vscode.workspace.isTrusted)
          await this.thumbnails.keep(output.sha256, message.width, message.webp);
        return;
      }
      case 'rate':
        await this.ratings.rate(list.placed(message.ids), message.stars);
        list.send();
        return;
      case 'action': {
        const outputs = list.placed(message.ids);
        if (!(await actOnOutputs(message.action, outputs))) return;
        this.runs.folders.noteChange();
        await this.thumbnails.remove(outputs.map(({ sha256 }) => sha256));
      }
    }
  }

  #onChange(): void {
    const { folders } = this.runs.folders;
    if (folders.length !== this.#allowed) this.allow(folders);
    this.#allowed = folders.length;
    this.#sendList();
  }

  async #postComparison(outputs: readonly RunOfOutput[]): Promise<void> {
    this.post({ type: 'comparison', ...(await compareOutputs(outputs, this.runs.servers)) });
  }

  async #openComparison(): Promise<void> {
    const records = this.#compared;
    this.#compared = [];
    if (records.length === 0) return;
    const outputs = await outputsToCompare(records, (file) => this.address(file));
    this.post({ type: 'compare', outputs });
    await this.#postComparison(records.map((record, index) => ({ id: -1 - index, record })));
  }
}

/**
 * An output of each run to compare: its first picture, or else its first output that is there. A run without any is
 * listed by its record, so that its values can be compared.
 * @param address by which the page loads a file
 */
async function outputsToCompare(
  records: readonly vscode.Uri[],
  address: (file: vscode.Uri) => string,
): Promise<readonly GalleryOutput[]> {
  return Promise.all(
    records.map(async (uri, index) => {
      const record = (await recordAt(uri.fsPath))?.record;
      const name = record && (await shownOutput(record, path.dirname(uri.fsPath)));
      const time = Date.parse(record?.sentAt ?? record?.submittedAt ?? '') || 0;
      const label = plainText(record?.label ?? uriName(uri));
      return {
        // Never the ID of a listed output.
        id: -1 - index,
        name: plainText(name ?? uriName(uri)),
        kind: name === undefined ? 'other' : mediaKind(name, undefined, ''),
        source: name === undefined ? '' : address(vscode.Uri.joinPath(uri, '..', name)),
        time,
        day: localDay(time),
        workflow: label,
        hasSeed: false,
        caption: label,
        details: '',
      } satisfies GalleryOutput;
    }),
  );
}

async function shownOutput({ files }: RunRecord, folder: string): Promise<string | undefined> {
  const there = new Set(await new NodeFolder(folder).listFiles());
  const names = files.map(({ name }) => name).filter((name) => there.has(name));
  return names.find((name) => mediaKind(name, undefined, '') === 'image') ?? names[0];
}

type RunOfOutput = Readonly<{ id: number; record: vscode.Uri }>;

async function compareOutputs(outputs: readonly RunOfOutput[], servers: Servers) {
  setContext(contextKeys.runsCompared, true);
  const records = await Promise.all(
    outputs.map(async ({ record }) => (await recordAt(record.fsPath))?.record),
  );
  const unknown = outputs.flatMap(({ id }, index) => {
    const record = records[index];
    return record && isComparable(record) ? [] : [id];
  });
  const empty = { seeds: {}, expected: [], files: [], texts: [] };
  const none: RunRecord = { format: 3, state: 'lost', server: '', label: '', ...empty };
  const compared = records.map((record) => record ?? none);
  return {
    differences: runDifferences(compared, (origin) => servers.nameOf(origin)),
    /** Captions that tell the outputs apart. */
    captions: captionWords(compared.map(captionValues)),
    /** Outputs with no readable run record, or one without a prompt. */
    unknown,
  };
}

/** Tells outputs apart from those of other runs of their workflow. Read from the records when they are seen. */
async function captionsOf(
  ids: readonly number[],
  rows: readonly GalleryRow[],
): Promise<readonly GalleryCaption[]> {
  const found: GalleryCaption[] = [];
  for (const runs of runsBeside(rows, new Set(ids))) {
    const values = await Promise.all(
      runs.map(async ([row]) => {
        const known = row && (await recordAt(placedOutput(row).record.fsPath).catch(() => undefined));
        return known && captionValues(known.record);
      }),
    );
    const known = values.flatMap((value, index) =>
      value === undefined ? [] : [{ value, rows: runs[index] ?? [] }],
    );
    const words = captionWords(known.map(({ value }) => value));
    for (const [index, run] of known.entries())
      for (const { file } of run.rows) found.push({ id: file.id, words: words[index] ?? [] });
  }
  return found;
}
