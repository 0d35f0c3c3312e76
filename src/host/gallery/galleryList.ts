import * as vscode from 'vscode';
import {
  galleryChoices,
  galleryRows,
  type GalleryRow,
  filterRows,
  sortRows,
  type Rating,
} from '../../core/gallery/galleryFilter';
import { seedWords } from '../../core/diff/valueDifferences';
import { creditsText } from '../../core/jobs/runPrice';
import { factsText } from '../../core/outputs/outputWords';
import { mapDefined } from '../../core/safety/lists';
import { listText, t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import { dayAndTime, localDay } from '../../core/safety/timeText';
import type { GalleryList, GalleryOutput, GalleryQuery, ToGallery } from '../../webview/contract/gallery';
import { isActiveContent } from '../platform/openFile';
import { type RunFolders, uriInRun } from '../runs/runFolders';
import type { Servers } from '../servers/servers';
import { type PlacedOutput, placedOutput, type Ratings } from './ratings';

/** Thumbnails of pictures up to this size are made as quickly as they are read, bytes. */
const quickPicture = 250_000;
/** Outputs in the first message, which fill the view, and in each one after it. */
const [firstOutputs, mostPerMessage] = [300, 2_000];

/** The outputs that the page has: each is sent once, and which of them it shows as often as that changes. */
export class SentList {
  #query: GalleryQuery = {};
  #sent = new Map<number, GalleryRow>();

  constructor(
    private readonly servers: Pick<Servers, 'nameOf'>,
    private readonly folders: RunFolders,
    private readonly ratings: Ratings,
    private readonly address: (file: vscode.Uri) => string,
    private readonly post: (message: ToGallery) => void,
  ) {}

  get rows(): readonly GalleryRow[] {
    return galleryRows(this.folders.runs);
  }

  /** The page was loaded anew. */
  forget(): void {
    this.#sent.clear();
  }

  /** Sends what is new, and the list: twice if there is much, so that the view is not empty until all is sent. */
  send(query = this.#query): void {
    this.#query = query;
    const { rows } = this;
    const added = rows.filter(({ file }) => !this.#sent.has(file.id));
    this.#sent = new Map(rows.map((row) => [row.file.id, row]));
    for (let start = 0, end = firstOutputs; start < added.length; start = end, end += mostPerMessage) {
      this.post({
        type: 'outputs',
        outputs: added.slice(start, end).map((row) => this.#output(row)),
      });
      if (start === 0 && end < added.length) this.post({ type: 'list', list: this.#list(rows) });
    }
    this.post({ type: 'list', list: this.#list(rows) });
  }

  placed(ids: readonly number[]): readonly PlacedOutput[] {
    return mapDefined(ids, (id) => this.#sent.get(id)).map(placedOutput);
  }

  #list(rows: readonly GalleryRow[]): GalleryList {
    const { ratings, folders } = this;
    const serverName = (origin: string): string => this.servers.nameOf(origin);
    const { servers, batches, ...choices } = galleryChoices(rows);
    const { server, order = 'newest', ...others } = this.#query;
    const filter = {
      ...others,
      servers: server === undefined ? undefined : servers.filter((origin) => serverName(origin) === server),
    };
    const starsOf = (row: GalleryRow): Rating => (ratings.isEmpty ? 0 : ratings.of(placedOutput(row)));
    const shown = filterRows(rows, filter, (row) => starsOf(row) === 5);
    const unavailable = vscode.workspace.isTrusted ? ('noFolder' as const) : ('untrusted' as const);
    return {
      ids: sortRows(shown, order, starsOf).map(({ file }) => file.id),
      stars: ratings.isEmpty
        ? []
        : rows.map((row) => ({ id: row.file.id, stars: starsOf(row) })).filter(({ stars }) => stars > 0),
      total: rows.length,
      reading: folders.isReading,
      isCut: folders.isCut,
      unread: folders.unread,
      ...(folders.folders.length > 0 ? {} : { unavailable }),
      choices: {
        ...choices,
        // A server that was started anew has another address and the same name.
        servers: [...new Set(servers.map(serverName))],
        batches: batches.map(({ id, label, time }) => ({ id, name: `${label}, ${dayAndTime(time)}` })),
      },
    };
  }

  #output({ run, file }: GalleryRow): GalleryOutput {
    const uri = uriInRun(run, file.name);
    const { time, label, seeds, credits } = run.facts;
    const { id, name, kind, sha256, bytes, facts } = file;
    const source = this.address(uri);
    // Whatever it is dropped on may open it, and would not open a program as text.
    const start = isActiveContent(name) ? undefined : startInWindow(vscode.Uri.parse(source).authority);
    return {
      id,
      name: plainText(name),
      kind,
      source,
      ...(start ? { dragged: uri.with(start).toString() } : {}),
      time,
      day: localDay(time),
      workflow: label,
      hasSeed: seeds.length > 0,
      caption: seedWords(seeds)[0] ?? label,
      details: listText([
        factsText(facts),
        credits === undefined ? '' : t`the run cost ${creditsText(credits)}`,
      ]),
      ...(kind === 'image' && bytes > quickPicture ? { sha256 } : {}),
    };
  }
}

/** `<scheme>+<authority>.vscode-resource.…`: other characters than letters and digits become `-` and four digits. */
const inWebviews = /^([a-z][a-z0-9.-]*)\+((?:[a-z0-9]|-[0-9a-f]{4})*)\.vscode-resource\./i;

/**
 * How addresses of files begin in the window. A remote extension host calls its files `file:`, and VS Code tells the
 * name of the remote only in addresses for webviews.
 * @param authority of the address of such a file for a webview
 * @returns undefined if it does not tell
 */
export function startInWindow(
  authority: string,
): { readonly scheme: string; readonly authority: string } | undefined {
  const [, scheme, encoded] = inWebviews.exec(authority) ?? [];
  if (scheme === undefined || encoded === undefined) return undefined;
  const decoded = encoded.replaceAll(/-([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  return { scheme, authority: decoded };
}
