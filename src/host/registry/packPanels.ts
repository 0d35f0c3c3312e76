import * as vscode from 'vscode';
import { readPackCard, type PackCard, translatePack } from '../../core/registry/packCard';
import { fetchStack } from '../../core/client/fetchStack';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { plainText } from '../../core/safety/plainText';
import { commands, contextKeys, webviewPanels } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Platform } from '../platform/platform';
import { panelIcon } from '../platform/panelPage';
import { UserProblem } from '../platform/problems';
import { commandLink, packLinks, pageCommands } from './packCommands';
import { packPicture } from './packPicture';
import { keptPack, noticeHtml, packHtml, type PackLook, type PackPage } from './packHtml';
import type { Servers } from '../servers/servers';
import { quietInstallTarget } from './installTarget';
import type { Registry } from './registries';
import { askingRegistry, noSuchPack } from './registryProblem';
import { showProgress } from '../platform/show';
import { withoutSecrets } from '../platform/shownSecrets';

/** The pages of packs, one panel per pack, read again whenever requested. VS Code owns the panels. */
export class PackPanels {
  readonly #styles: vscode.Uri;
  readonly #icon: vscode.Uri;
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(
    private readonly platform: Platform,
    private readonly servers: Servers,
  ) {
    this.#icon = panelIcon(platform.extensionUri);
    this.#styles = vscode.Uri.joinPath(platform.extensionUri, 'media', 'styles');
  }

  /** @param known what is already known about the pack, for example from a search */
  async show(registry: Registry, id: string, known?: Partial<PackCard>): Promise<void> {
    const page = await this.#read(registry, id, known);
    const panel = this.#panel(page.card);
    this.#draw(page, panel);
    setContext(contextKeys.packShown, true);
  }

  /**
   * Fills a panel that was open when the window reloaded. It stores only the pack's ID: everything is read again, and
   * errors are shown in the panel, because the user did not ask for anything just now.
   */
  async restore(
    panel: vscode.WebviewPanel,
    state: unknown,
    registry: () => Promise<Registry>,
  ): Promise<void> {
    const id = keptPack(state);
    if (id === undefined || this.#open.has(id)) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.#options();
    this.#own(id, panel);
    const name = panel.title;
    const page = await this.#restored(id, name, registry);
    if (this.#open.get(id) !== panel) return;
    if ('card' in page) this.#draw(page, panel);
    else panel.webview.html = withoutSecrets(noticeHtml(page, this.#look(panel)));
  }

  /** First without its picture, which may be slow to come. */
  #draw(page: PackPage, panel: vscode.WebviewPanel): void {
    const html = withoutSecrets(packHtml(page, this.#look(panel)));
    panel.webview.html = html;
    // The packs of the sandbox are made up.
    if (page.isPractice) return;
    const addresses = [page.pack.bannerUrl, page.pack.icon];
    void packPicture(addresses, fetchStack(globalThis)).then((picture) => {
      const isSame = this.#open.get(page.card.id) === panel && panel.webview.html === html;
      if (picture === undefined || !isSame) return;
      panel.webview.html = withoutSecrets(packHtml({ ...page, picture }, this.#look(panel)));
    });
  }

  async #restored(id: string, name: string, registry: () => Promise<Registry>) {
    try {
      return await this.#read(await registry(), id, { name });
    } catch (error) {
      if (!(error instanceof UserProblem)) this.platform.log.error('Reading a pack page again', error);
      return { id, name, again: commandLink(commands.showPack, id), ...troubleOf(error) };
    }
  }

  nameOf(id: string): string | undefined {
    return this.#open.get(id)?.title;
  }

  /** Reads an open page again, for example after a review; others stay closed. */
  async refresh(registry: Registry, id: string): Promise<void> {
    if (this.#open.has(id)) await this.show(registry, id);
  }

  async #read(registry: Registry, id: string, known?: Partial<PackCard>): Promise<PackPage> {
    const [page, target] = await Promise.all([
      readPage(registry, id, known),
      registry.isSandbox ? undefined : quietInstallTarget(this.servers),
    ]);
    if (!target) return page;
    const { name } = target.session.server;
    return {
      ...page,
      installer: { server: name, link: commandLink(commands.installPack, page.card.id) },
    };
  }

  #look({ webview }: vscode.WebviewPanel): PackLook {
    const style = webview.asWebviewUri(vscode.Uri.joinPath(this.#styles, 'pack.css')).toString();
    return { cspSource: webview.cspSource, style };
  }

  #panel({ id, name }: PackCard): vscode.WebviewPanel {
    const existing = this.#open.get(id);
    if (existing) {
      existing.reveal(undefined, false);
      return existing;
    }
    const options = { ...this.#options(), enableFindWidget: true };
    const panel = vscode.window.createWebviewPanel(
      webviewPanels.pack,
      plainText(name),
      vscode.ViewColumn.Active,
      options,
    );
    this.#own(id, panel);
    return panel;
  }

  #own(id: string, panel: vscode.WebviewPanel): void {
    this.#open.set(id, panel);
    panel.iconPath = this.#icon;
    panel.onDidDispose(() => this.#open.delete(id));
  }

  #options(): vscode.WebviewOptions {
    return { enableScripts: true, enableCommandUris: pageCommands, localResourceRoots: [this.#styles] };
  }
}

async function readPage(registry: Registry, id: string, known: Partial<PackCard> = {}): Promise<PackPage> {
  const [told, versions] = await askingRegistry(() =>
    showProgress(
      { location: vscode.ProgressLocation.Window, title: shown`Comfy Deck: looking for the node pack` },
      () => Promise.all([registry.client.pack(id), registry.client.versions(id)]),
    ),
  );
  const pack = told && translatePack(told, vscode.env.language);
  const read = pack && readPackCard({ ...pack, name: pack.name ?? known.name }, id);
  if (!read) throw noSuchPack(id);
  // For a banned pack, the registry says only that.
  const { warnings = [] } = known;
  const isBanned = pack.status === 'banned';
  const card = isBanned
    ? { ...read, ...known, warnings: [...new Set([...read.warnings, ...warnings])] }
    : read;
  return {
    card,
    pack,
    versions,
    links: packLinks(card, registry.baseUrl),
    registry: registry.origin,
    isPractice: registry.isSandbox,
  };
}

function troubleOf(error: unknown): { readonly message: string; readonly advice: string } {
  return error instanceof UserProblem
    ? { message: error.message, advice: error.nextAction.line() }
    : { message: t`The pack page couldn't be loaded.`, advice: t`Try again.` };
}
