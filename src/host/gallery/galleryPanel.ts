import * as vscode from 'vscode';
import type { GalleryRow } from '../../core/gallery/galleryRow';
import { coalesce } from '../../core/jobs/coalesce';
import { t } from '../../core/safety/localize';
import type { Secrets } from '../../core/safety/secrets';
import {
  type FromGallery,
  type GalleryCommand,
  galleryCommands,
  type ToGallery,
} from '../../webview/contract/gallery';
import { registerCommand } from '../platform/commandRegistry';
import { type CommandId, commands } from '../platform/contributions';
import type { Log } from '../platform/log';
import { panelFolder, panelIcon, panelPage } from '../platform/panelPage';
import { tellProblem } from '../platform/problems';
import { outputsToCompare } from './comparedRuns';
import { actOnOutputs } from './galleryActions';
import { captionsOf } from './galleryCaptions';
import { compareOutputs, type RunOfOutput } from './galleryComparison';
import { GalleryFiles } from './galleryFiles';
import { SentList } from './galleryList';
import { fromGallery } from './galleryMessage';
import type { KeptThumbnails } from './keptThumbnails';
import type { Ratings } from './ratings';

/** While records are read, the list is sent at most this often (ms). */
const listEvery = 250;

export interface GalleryParts {
  readonly secrets: Secrets;
  readonly ratings: Ratings;
  readonly thumbnails: KeptThumbnails;
  /** The output folders of this window; they need not exist. */
  readonly folders: () => readonly vscode.Uri[];
  /** Outputs were saved, maybe in a new folder. */
  readonly onDidSave: vscode.Event<unknown>;
  readonly serverName: (origin: string) => string;
  readonly log: Log;
}

/** The context menu of an output. */
const menu: Readonly<Record<GalleryCommand, CommandId>> = {
  open: commands.openOutput,
  openToSide: commands.openOutputToSide,
  showRun: commands.showOutputRun,
  useSeed: commands.useOutputSeed,
  useValues: commands.useOutputValues,
  copyImage: commands.copyOutputImage,
  copyPath: commands.copyOutputPath,
  reveal: commands.revealOutput,
  favorite: commands.favoriteOutput,
  compare: commands.compareOutputs,
  export: commands.exportOutputs,
  delete: commands.deleteOutputs,
};

/** The gallery: its page and its folders, and what the page asks for. */
export class GalleryPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #extensionUri: vscode.Uri;
  readonly #parts: GalleryParts;
  readonly #onError = (error: unknown): void => tellProblem(error, this.#parts.log);
  readonly #sendList: ReturnType<typeof coalesce>;
  #files: GalleryFiles;
  #list: SentList;
  #ready = false;
  /** Records of the runs to compare as soon as the page is ready. */
  #compared: readonly vscode.Uri[] = [];

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, parts: GalleryParts) {
    this.#panel = panel;
    this.#extensionUri = extensionUri;
    this.#parts = parts;
    this.#sendList = coalesce(() => this.#ready && this.#list.send(), listEvery);
    this.#files = this.#openFiles();
    this.#list = this.#newList();
    const subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      ...galleryCommands.map((command) =>
        // The page knows what is selected.
        registerCommand(parts.log, menu[command], () => this.#post({ type: 'command', command })),
      ),
      parts.onDidSave(() => this.#onSave()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#onSave()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#onSave()),
    ];
    panel.onDidDispose(() => {
      this.#sendList.cancel();
      this.#files.dispose();
      for (const subscription of subscriptions) subscription.dispose();
    });
    panel.iconPath = panelIcon(extensionUri);
    const { cspSource } = panel.webview;
    panel.webview.html = panelPage(panel.webview, extensionUri, {
      title: t`Comfy Deck Gallery`,
      name: 'gallery',
      // Pictures are read to be made smaller.
      allows: { 'img-src': cspSource, 'media-src': cspSource, 'connect-src': cspSource },
    });
  }

  #openFiles(): GalleryFiles {
    const folders = this.#wantedFolders();
    this.#panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [panelFolder(this.#extensionUri), ...folders],
    };
    const files = new GalleryFiles(folders, this.#onError);
    files.onDidChange(() => this.#sendList());
    return files;
  }

  #newList(): SentList {
    const { ratings, serverName } = this.#parts;
    return new SentList({
      files: this.#files,
      ratings,
      serverName,
      address: (file) => this.#panel.webview.asWebviewUri(file),
      post: (message) => this.#post(message),
    });
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
    this.#list = this.#newList();
  }

  #post(message: ToGallery): void {
    void this.#panel.webview.postMessage(this.#parts.secrets.hideDeep(message));
  }

  #receive(raw: unknown): void {
    const { data } = fromGallery.safeParse(raw);
    if (data) this.#act(data).catch(this.#onError);
  }

  async #act(message: FromGallery): Promise<void> {
    const list = this.#list;
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#list = this.#newList();
        this.#list.query = message.query;
        this.#list.send();
        await this.#openComparison();
        return;
      case 'query':
        list.query = message.query;
        list.send();
        return;
      case 'captions': {
        const uriOf = (row: GalleryRow): vscode.Uri | undefined => this.#files.uriOf(row, row.record);
        this.#post({ type: 'captions', captions: await captionsOf(message.ids, list.rows, uriOf) });
        return;
      }
      case 'compare':
        await this.#postComparison(
          list.placed(message.ids).map(({ row: { id }, record }) => ({ id, record })),
        );
        return;
      case 'thumbnail': {
        const { id, width } = message;
        const [output] = list.placed([id]);
        const webp = output && (await this.#parts.thumbnails.find(output.sha256, width, output.file.fsPath));
        // No text to hide a secret in.
        const answer: ToGallery = { type: 'thumbnail', id, width, ...(webp ? { webp } : {}) };
        void this.#panel.webview.postMessage(answer);
        return;
      }
      case 'keepThumbnail': {
        const [output] = list.placed([message.id]);
        if (output && vscode.workspace.isTrusted)
          await this.#parts.thumbnails.keep(output.sha256, message.width, message.webp);
        return;
      }
      case 'rate':
        await this.#parts.ratings.rate(list.placed(message.ids), message.stars);
        list.send();
        return;
      case 'action': {
        const outputs = list.placed(message.ids);
        if (!(await actOnOutputs(message.action, outputs))) return;
        this.#files.noteChange();
        await this.#parts.thumbnails.remove(outputs.map(({ sha256 }) => sha256));
      }
    }
  }

  async #postComparison(outputs: readonly RunOfOutput[]): Promise<void> {
    const compared = await compareOutputs(outputs, this.#parts.serverName);
    this.#post({ type: 'comparison', ids: outputs.map(({ id }) => id), ...compared });
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
}
