import * as vscode from 'vscode';
import { cardOf, type PackCard } from '../../core/client/registry/packCard';
import type { RegistryNode } from '../../core/protocol/registry/registryNode';
import { webviewPanels } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { packCommands, packLinks } from './packCommands';
import { packHtml } from './packHtml';
import type { Registry } from './registries';
import { askingRegistry } from './registryProblem';

/** The pages of packs, one panel per pack, read anew whenever they are asked for. */
export class PackPanels implements vscode.Disposable {
  readonly #styles: vscode.Uri;
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(extensionUri: vscode.Uri) {
    this.#styles = vscode.Uri.joinPath(extensionUri, 'media', 'styles');
  }

  /** @param known what is known of the pack already: of a banned one the registry tells no more than that */
  async show(registry: Registry, id: string, known?: Pick<PackCard, 'name'>): Promise<void> {
    const [pack, versions] = await askingRegistry(() =>
      vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: 'Comfy Deck: reading the node pack' },
        () => Promise.all([registry.client.pack(id), registry.client.versions(id)]),
      ),
    );
    const card = pack && cardOf({ ...pack, name: pack.name ?? known?.name }, id);
    if (!card) {
      throw new UserProblem(
        `The node registry does not know the pack “${id}”.`,
        'Search for it: it may have been renamed or deleted.',
      );
    }
    const panel = this.#panel(registry, card.id, card.name);
    const { webview } = panel;
    const style = webview.asWebviewUri(vscode.Uri.joinPath(this.#styles, 'pack.css')).toString();
    const links = packLinks(card, registry.baseUrl);
    const page = { card, pack, versions, links, registry: registry.origin };
    webview.html = packHtml(page, { cspSource: webview.cspSource, style });
  }

  /** Reads an open page again, as after a review; the others stay closed. */
  async refresh(registry: Registry, { id }: RegistryNode): Promise<void> {
    if (id !== undefined && this.#open.has(keyOf(registry, id))) await this.show(registry, id);
  }

  dispose(): void {
    for (const panel of this.#open.values()) panel.dispose();
  }

  #panel(registry: Registry, id: string, name: string): vscode.WebviewPanel {
    const key = keyOf(registry, id);
    const existing = this.#open.get(key);
    if (existing) {
      existing.reveal(undefined, false);
      return existing;
    }
    const panel = vscode.window.createWebviewPanel(webviewPanels.pack, name, vscode.ViewColumn.Active, {
      enableScripts: false,
      enableCommandUris: packCommands,
      enableFindWidget: true,
      localResourceRoots: [this.#styles],
    });
    this.#open.set(key, panel);
    panel.onDidDispose(() => this.#open.delete(key));
    return panel;
  }
}

function keyOf({ baseUrl }: Registry, id: string): string {
  return `${baseUrl} ${id}`;
}
