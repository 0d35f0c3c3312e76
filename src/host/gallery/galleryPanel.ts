import * as vscode from 'vscode';
import { choicesOf, dayOf, filterRows } from '../../core/gallery/galleryFilter';
import type { GalleryRow } from '../../core/gallery/galleryRow';
import { coalesce } from '../../core/jobs/coalesce';
import { creditsText } from '../../core/jobs/runPrice';
import { factsText } from '../../core/outputs/outputWords';
import { displayLanguage, listText, t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import type { FromGallery, GalleryOutput, GalleryQuery, ToGallery } from '../../webview/contract/gallery';
import { isActive } from '../platform/openFile';
import { panelFolder, panelIcon, panelPage } from '../platform/panelPage';
import type { Favorites } from './favorites';
import { actOnOutputs } from './galleryActions';
import { outputsToCompare } from './comparedRuns';
import { compareOutputs, type RunOfOutput } from './galleryComparison';
import { GalleryFiles } from './galleryFiles';
import { readGalleryMessage } from './galleryMessage';
import type { KeptThumbnails } from './keptThumbnails';
import type { PlacedOutput } from './placedOutput';
import { startInWindow } from './windowAddress';

/** While records are read, the list is sent at most this often (ms). */
const listEvery = 250;
/** Thumbnails of pictures up to this size are made as quickly as they are read, bytes. */
const quickPicture = 250_000;
/** Outputs in one message. */
const mostPerMessage = 1_000;

export interface GalleryParts {
  readonly secrets: Secrets;
  readonly favorites: Favorites;
  readonly thumbnails: KeptThumbnails;
  /** The output folders of this window; they need not exist. */
  readonly folders: () => readonly vscode.Uri[];
  /** Outputs were saved, maybe in a new folder. */
  readonly onDidSave: vscode.Event<unknown>;
  readonly serverName: (origin: string) => string;
  readonly onError: (error: unknown) => void;
}

/** The gallery: tells the page which outputs there are, and does what it asks for. */
export class GalleryPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #extensionUri: vscode.Uri;
  readonly #parts: GalleryParts;
  readonly #showList: ReturnType<typeof coalesce>;
  #files: GalleryFiles;
  #ready = false;
  #query: GalleryQuery = {};
  /** Records of the runs to compare as soon as the page is ready. */
  #compared: readonly vscode.Uri[] = [];
  /** What the page knows. */
  #sent = new Map<number, GalleryRow>();

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, parts: GalleryParts) {
    this.#panel = panel;
    this.#extensionUri = extensionUri;
    this.#parts = parts;
    this.#showList = coalesce(() => this.#postList(), listEvery);
    this.#files = this.#openFiles();
    const subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      parts.onDidSave(() => this.#onSave()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#onSave()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#onSave()),
    ];
    panel.onDidDispose(() => {
      this.#showList.cancel();
      this.#files.dispose();
      for (const subscription of subscriptions) subscription.dispose();
    });
    panel.iconPath = panelIcon(extensionUri);
    const { cspSource } = panel.webview;
    panel.webview.html = panelPage(panel.webview, extensionUri, {
      title: t`Comfy Deck Gallery`,
      name: 'gallery',
      // Pictures are read to be made smaller.
      allows: { 'img-src': cspSource, 'connect-src': cspSource },
    });
  }

  #openFiles(): GalleryFiles {
    const folders = this.#wantedFolders();
    this.#panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [panelFolder(this.#extensionUri), ...folders],
    };
    const files = new GalleryFiles(folders, this.#parts.onError);
    files.onDidChange(() => this.#showList());
    return files;
  }

  /** Records and files of an untrusted workspace are not read. */
  #wantedFolders(): readonly vscode.Uri[] {
    if (!vscode.workspace.isTrusted) return [];
    return [...new Map(this.#parts.folders().map((folder) => [folder.fsPath, folder])).values()];
  }

  #onSave(): void {
    const known = new Set(this.#files.folders.map(({ fsPath }) => fsPath));
    if (this.#wantedFolders().every(({ fsPath }) => known.has(fsPath))) {
      this.#files.noteChange();
      return;
    }
    this.#files.dispose();
    // Changing the folders reloads the page, which then asks again.
    this.#ready = false;
    this.#files = this.#openFiles();
  }

  #postList(): void {
    if (!this.#ready) return;
    const { rows, isReading, isCut, unread, folders } = this.#files;
    this.#postNew(rows);
    const { favorites, serverName } = this.#parts;
    const { servers, batches, ...choices } = choicesOf(rows);
    this.#post({
      type: 'list',
      list: {
        ids: filterRows(rows, this.#query, (row) => this.#isFavorite(row)).map(({ id }) => id),
        favorites: favorites.isEmpty ? [] : rows.filter((row) => this.#isFavorite(row)).map(({ id }) => id),
        total: rows.length,
        reading: isReading,
        isCut,
        unread,
        ...(folders.length > 0
          ? {}
          : { unavailable: vscode.workspace.isTrusted ? ('noFolder' as const) : ('untrusted' as const) }),
        choices: {
          ...choices,
          servers: servers.map((origin) => ({ origin, name: serverName(origin) })),
          batches: batches.map(({ id, label, time }) => ({ id, name: `${label}, ${whenText(time)}` })),
        },
      },
    });
  }

  #postNew(rows: readonly GalleryRow[]): void {
    const added = rows.filter((row) => !this.#sent.has(row.id));
    for (let start = 0; start < added.length; start += mostPerMessage) {
      const outputs = added.slice(start, start + mostPerMessage).flatMap((row) => this.#outputOf(row));
      this.#post({ type: 'outputs', outputs });
    }
    this.#sent = new Map(rows.map((row) => [row.id, row]));
  }

  #outputOf(row: GalleryRow): readonly GalleryOutput[] {
    const uri = this.#files.uriOf(row, row.name);
    if (!uri) return [];
    const { id, name, kind, time, label, server, seeds, sha256, bytes, facts, credits } = row;
    const source = this.#panel.webview.asWebviewUri(uri);
    // Whatever it is dropped on may open it, and would not open a program as text.
    const start = isActive(name) ? undefined : startInWindow(source.authority);
    const output: GalleryOutput = {
      id,
      name,
      kind,
      source: source.toString(),
      ...(start ? { dragged: uri.with(start).toString() } : {}),
      time,
      day: dayOf(time),
      workflow: label,
      server: this.#parts.serverName(server),
      hasSeed: seeds.length > 0,
      details: listText([
        factsText(facts),
        credits === undefined ? '' : t`the run cost ${creditsText(credits)}`,
      ]),
      ...(kind === 'image' && bytes > quickPicture ? { sha256 } : {}),
    };
    return [output];
  }

  #isFavorite(row: GalleryRow): boolean {
    const { favorites } = this.#parts;
    if (favorites.isEmpty) return false;
    const uri = this.#files.uriOf(row, row.name);
    return uri !== undefined && favorites.has(uri);
  }

  #post(message: ToGallery): void {
    void this.#panel.webview.postMessage(this.#parts.secrets.hideDeep(message));
  }

  #receive(raw: unknown): void {
    const message = readGalleryMessage(raw);
    if (message) this.#act(message).catch(this.#parts.onError);
  }

  async #act(message: FromGallery): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#sent = new Map();
        this.#query = message.query;
        this.#postList();
        await this.#openComparison();
        return;
      case 'query':
        this.#query = message.query;
        this.#postList();
        return;
      case 'compare':
        await this.#postComparison(
          this.#placed(message.ids).map(({ row: { id }, record }) => ({ id, record })),
        );
        return;
      case 'thumbnail': {
        const { id, width } = message;
        const [output] = this.#placed([id]);
        const webp =
          output && (await this.#parts.thumbnails.find(output.row.sha256, width, output.file.fsPath));
        // No text to hide a secret in.
        const answer: ToGallery = { type: 'thumbnail', id, width, ...(webp ? { webp } : {}) };
        void this.#panel.webview.postMessage(answer);
        return;
      }
      case 'keepThumbnail': {
        const [output] = this.#placed([message.id]);
        if (output && vscode.workspace.isTrusted)
          await this.#parts.thumbnails.keep(output.row.sha256, message.width, message.webp);
        return;
      }
      case 'action': {
        const outputs = this.#placed(message.ids);
        const changed = await actOnOutputs(message.action, outputs, this.#parts.favorites);
        if (changed === 'files') {
          this.#files.noteChange();
          await this.#parts.thumbnails.remove(outputs.map(({ row }) => row.sha256));
        }
        if (changed === 'marks') this.#postList();
      }
    }
  }

  async #postComparison(outputs: readonly RunOfOutput[]): Promise<void> {
    const { differences, unknown } = await compareOutputs(outputs, this.#parts.serverName);
    this.#post({ type: 'comparison', ids: outputs.map(({ id }) => id), differences, unknown });
  }

  /** Opens the comparison of some runs, whose records may be in any folder. */
  async compareRuns(records: readonly vscode.Uri[]): Promise<void> {
    this.#compared = records;
    const folders = records.map((record) => vscode.Uri.joinPath(record, '..'));
    const roots = this.#panel.webview.options.localResourceRoots ?? [];
    const more = folders.filter((folder) => roots.every(({ fsPath }) => fsPath !== folder.fsPath));
    if (more.length === 0) {
      if (this.#ready) await this.#openComparison();
      return;
    }
    // The page reloads, asks again, and gets the comparison then.
    this.#ready = false;
    this.#panel.webview.options = { enableScripts: true, localResourceRoots: [...roots, ...more] };
  }

  async #openComparison(): Promise<void> {
    const records = this.#compared;
    this.#compared = [];
    if (records.length === 0) return;
    const address = (file: vscode.Uri): string => this.#panel.webview.asWebviewUri(file).toString();
    const outputs = await outputsToCompare(records, address, this.#parts.serverName);
    this.#post({ type: 'compare', outputs });
    await this.#postComparison(
      outputs.flatMap(({ id }, index) => {
        const record = records[index];
        return record ? [{ id, record }] : [];
      }),
    );
  }

  #placed(ids: readonly number[]): readonly PlacedOutput[] {
    return ids.flatMap((id) => {
      const row = this.#sent.get(id);
      const file = row && this.#files.uriOf(row, row.name);
      const record = row && this.#files.uriOf(row, row.record);
      return row && file && record ? [{ row, file, record }] : [];
    });
  }
}

function whenText(time: number): string {
  return new Date(time).toLocaleString(displayLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
}
