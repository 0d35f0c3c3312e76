import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { Shown, shown, ShownLink } from '../../core/safety/shownText';
import { DefinitionFiles } from '../catalogs/definitionFiles';
import { commands } from '../platform/contributions';
import { openPage } from '../platform/openFile';
import { isCancellation, UserProblem } from '../platform/problems';
import { readSource, commandSources } from '../platform/workflowSource';
import type { Platform } from '../platform/platform';
import { serverOrigin } from '../servers/knownServers';
import type { Servers } from '../servers/servers';
import { KeptCoreClasses, type CachedDefinitions } from './coreClasses';
import { confirmAndInstallPack } from './installCommand';
import { quietInstallTarget } from './installTarget';
import { chooseMissing, coreAdvice, lookUpPacks } from './missingPacksPick';
import { PackPanels } from './packPanels';
import { searchPack } from './packSearch';
import { Registries, type Registry } from './registries';
import { askingRegistry } from './registryProblem';
import { askPack, requireSafeAddress, reviewPack } from './reviewPack';
import { isUnknownClass, type UnknownClassAt, UnknownClasses } from './unknownClasses';
import { showInformation, showProgress } from '../platform/show';
import { packFix, type PackFix, type PackAnswer } from '../../core/registry/packAnswer';
import { packHover } from './packHover';
import { abortedWithin } from '../../core/client/timing';
import { ServerError } from '../../core/protocol/serverError';
import { plainText } from '../../core/safety/plainText';
import { commandLink, packLinks } from './packCommands';
import { markdownWithCommands } from '../platform/showItems';

/** Everything about the node registry; loaded on first use. */
export class RegistryController {
  readonly registries: Registries;
  readonly unknownClasses: UnknownClasses;
  readonly #panels: PackPanels;

  constructor(
    private readonly platform: Platform,
    private readonly servers: Servers,
  ) {
    const coreClasses = new KeptCoreClasses(() => keptDefinitions(platform, servers));
    this.registries = new Registries(platform, servers, coreClasses);
    this.unknownClasses = new UnknownClasses(servers);
    this.#panels = new PackPanels(platform, servers);
  }

  async findPack(words?: string): Promise<void> {
    const registry = await this.registries.current();
    const card = await searchPack(registry, searchTitle(registry), words);
    if (card) await this.#panels.show(registry, card.id, card);
  }

  async showPack(id: string): Promise<void> {
    await this.#panels.show(await this.registries.current(), id);
  }

  /** The page of the pack that provides a node type; a search if none is known. */
  async showPackOf(classType: string, pack?: string): Promise<void> {
    const registry = await this.registries.current();
    const answer = await askingRegistry(() =>
      showProgress(
        { location: vscode.ProgressLocation.Window, title: shown`Comfy Deck: looking for the node pack` },
        () => registry.lookup.find({ classType, pack }),
      ),
    );
    if (answer.kind === 'found') {
      await this.#panels.show(registry, answer.card.id, answer.card);
      return;
    }
    if (answer.kind === 'core') {
      throw new UserProblem(partOfComfy(classType), coreAdvice, [
        { label: shown`Select Server`, command: commands.selectServer },
      ]);
    }
    throw new UserProblem(
      noPackFor(classType),
      shown`Try different words, or ask the author of the workflow.`,
      [{ label: shown`Find Node Pack…`, command: commands.findPack, args: [classType] }],
    );
  }

  async missingPacks(args: readonly unknown[]): Promise<void> {
    const [uri] = commandSources(args);
    const { workflow, label } = await readSource(uri);
    const { unknown, server } = await this.unknownClasses.all(workflow);
    if (unknown.length === 0) {
      void showInformation(shown`${server} has every node type that ${label} uses.`);
      return;
    }
    const registry = await this.registries.current();
    const [found, target] = await Promise.all([
      lookUpPacks(registry, unknown),
      registry.isSandbox ? undefined : quietInstallTarget(this.servers),
    ]);
    const choice = await chooseMissing(found, label, target?.session.server.name);
    if (!choice) return;
    // Uses the registry that was listed, because another may be set by now, with another pack of this name.
    if (choice.kind === 'install') await confirmAndInstallPack(this.servers, registry, choice.id);
    else if (choice.kind === 'pack') await this.#panels.show(registry, choice.card.id, choice.card);
    else if (choice.kind === 'search') await this.findPack(choice.words);
    else if (choice.kind === 'repository') await openPage(choice.address);
    else await vscode.commands.executeCommand(commands.selectServer);
  }

  async installPack(id: string): Promise<void> {
    await confirmAndInstallPack(this.servers, await this.registries.current(), id);
  }

  async reviewPack(id?: string): Promise<void> {
    const registry = await this.registries.current();
    requireSafeAddress(registry);
    const reviewing = id ?? (await askPack(registry));
    if (reviewing === undefined) return;
    const pack = { id: reviewing, name: this.#panels.nameOf(reviewing) ?? reviewing };
    const { globalState } = this.platform.context;
    const reviewed = await reviewPack(registry, this.registries.tokens, globalState, pack);
    if (!reviewed) return;
    const reviewedId = reviewed.id ?? pack.id;
    registry.lookup.forgetPack(reviewedId);
    await this.#panels.refresh(registry, reviewedId);
  }

  async signOut(): Promise<void> {
    const { origin } = await this.registries.current();
    const { tokens } = this.registries;
    const had = (await tokens.get(origin)) !== undefined;
    await tokens.delete(origin);
    void showInformation(
      had
        ? shown`Signed out of ${origin}. Its key was removed from this machine.`
        : shown`You're not signed in to ${origin}.`,
    );
  }

  /** The pack of an unknown node type; undefined if the type is known or there is no registry. */
  async hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const unknown = await this.unknownClasses.at(document, position);
    const registry = unknown && (await this.registries.quiet());
    if (!registry || token.isCancellationRequested) return undefined;
    const left = new AbortController();
    const leaving = token.onCancellationRequested(() => left.abort());
    try {
      const signal = abortedWithin(left.signal, patience);
      const answer = await registry.lookup.find(unknown, signal);
      return hover(unknown, answerMarkdown(answer, unknown, registry));
    } catch (error) {
      if (left.signal.aborted || isCancellation(error)) return undefined;
      const reason = ServerError.is(error) ? error.message : undefined;
      return hover(unknown, Shown.join([shown`The node registry couldn't be reached.`, reason]));
    } finally {
      leaving.dispose();
    }
  }

  /** The quick fix for an unknown node type. It sends no request: the menu opens at once. */
  async codeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const unknown = await this.unknownClasses.at(document, range.start);
    const registry = unknown && (await this.registries.quiet());
    if (!registry) return [];
    const fix = packFix(unknown.classType, registry.lookup.known(unknown), unknown.pack);
    if (!fix) return [];
    const action = new vscode.CodeAction(plainText(fix.title), vscode.CodeActionKind.QuickFix);
    action.command = commandOf(fix);
    action.diagnostics = diagnostics.filter(isUnknownClass);
    return [action];
  }

  restorePage(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state, () => this.registries.current());
  }
}

function searchTitle({ isSandbox }: Registry): Shown {
  return isSandbox ? shown`${t`Find Node Pack`} (Sandbox Practice Registry)` : shown`Find Node Pack`;
}

/** The built-in list, then caches of other servers. The selected one lacks the node type in question. */
function keptDefinitions({ storage }: Platform, servers: Servers): CachedDefinitions[] {
  const files = new DefinitionFiles(storage);
  const current = servers.current();
  const bundled = { server: 'sandbox', text: () => servers.sandbox.definitions() };
  const others = servers.list().flatMap((server) => {
    const origin = serverOrigin(server);
    if (origin === undefined || server.kind === 'sandbox' || server.name === current?.name) return [];
    return [{ server: origin, text: async () => (await files.load(origin))?.texts.definitions }];
  });
  return current?.kind === 'sandbox' ? others : [bundled, ...others];
}

/** How long a hover waits for the registry (ms); the answer is there for the next one. */
const patience = 8_000;

function partOfComfy(classType: string): Shown {
  return shown`${classType} is part of ComfyUI, not of a node pack.`;
}

function noPackFor(classType: string): Shown {
  return shown`No pack in the node registry provides ${classType}.`;
}

function answerMarkdown(answer: PackAnswer, { classType }: UnknownClassAt, registry: Registry): Shown {
  if (answer.kind === 'found') {
    return packHover(answer.card, packLinks(answer.card, registry.baseUrl), answer.how);
  }
  if (answer.kind === 'core') {
    const select = new ShownLink(shown`Select Server`, `command:${commands.selectServer}`);
    return Shown.join([partOfComfy(classType), coreAdvice, select]);
  }
  const search = new ShownLink(shown`Search…`, commandLink(commands.findPack, classType));
  return Shown.join([noPackFor(classType), search]);
}

function hover({ range }: UnknownClassAt, text: Shown): vscode.Hover {
  return new vscode.Hover(markdownWithCommands(text), range);
}

function commandOf({ title, request }: PackFix): vscode.Command {
  switch (request.kind) {
    case 'showPack':
      return { title, command: commands.showPack, arguments: [request.packId] };
    case 'findPack':
      return { title, command: commands.showPackOf, arguments: [request.classType, request.pack] };
    case 'searchPacks':
      return { title, command: commands.findPack, arguments: [request.words] };
  }
}
