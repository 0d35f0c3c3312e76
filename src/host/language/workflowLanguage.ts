import * as vscode from 'vscode';
import { outputNodeAt } from '../../core/language/places/outputNodes';
import { ComparedTexts } from '../compare/comparedTexts';
import { NodeDefinitions } from '../catalogs/definitionSource';
import { activeDocument, activeOffset, documentsInSight } from '../platform/activeDocument';
import type { Owned } from '../platform/feature';
import type { Log } from '../platform/log';
import type { Platform } from '../platform/platform';
import type { WindowRuns } from '../runs/windowRuns';
import { workflowLanguages as selector } from '../platform/workflowSource';
import { HintProvider, LensProvider, TokenProvider, tokenLegend } from './annotationProviders';
import { CheckPages, Checks, keepMissingModelsKey } from './checks';
import { CodeActionProvider, codeActionKinds } from './codeActionProvider';
import { DefinitionsStatus } from './definitionsStatus';
import { LocalFiles } from './localFiles';
import { MediaDrop } from './mediaDrop';
import { isInputFile, NavigationProviders } from './navigationProviders';
import { PromptDocuments } from './promptDocuments';
import { registerRename } from './renameProvider';
import { WorkflowDocuments, isWorkedOn } from './workflowDocuments';
import type { Catalog } from '../../core/catalog/catalog';
import { indexClasses } from '../../core/language/classIndex';
import { typesToRefresh } from '../../core/language/typesToRefresh';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { completeAtOffset } from '../../core/language/completion/complete';
import type { Completion, CompletionKind } from '../../core/language/completion/completion';
import { classMarkdown } from '../../core/language/hover/markdown';
import { plainText } from '../../core/safety/plainText';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import { editIn, rangeIn } from '../platform/editorRanges';
import { findLocalPicture, listLocalMedia } from '../runs/findLocalMedia';
import { pictureMarkdown, untrustedMarkdown, setLinkTooltip } from '../platform/showItems';
import { documentLinks } from '../../core/language/navigation/documentLinks';
import { shown } from '../../core/safety/shownText';
import { type EarlyLenses, isStillWanted } from './lensFirst';

class LinkProvider implements vscode.DocumentLinkProvider {
  constructor(
    private readonly documents: WorkflowDocuments,
    private readonly definitions: NodeDefinitions,
    private readonly localFiles: LocalFiles,
  ) {}

  async provideDocumentLinks(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[] | undefined> {
    const workflow = (await isStillWanted(document, token)) ? this.documents.of(document) : undefined;
    if (!workflow) return undefined;
    const found = documentLinks(workflow, this.definitions.rules.catalog);
    const names = new Set(found.flatMap((link) => (isInputFile(link) ? [link.fileName] : [])));
    const files = new Map<string, vscode.Uri>();
    await Promise.all(
      [...names].map(async (name) => {
        const uri = await this.localFiles.find(document.uri, name);
        if (uri) files.set(name, uri);
      }),
    );
    return found.flatMap((link) => {
      const target = link.kind === 'url' ? webAddress(link.url) : files.get(link.fileName);
      if (!target) return [];
      const made = new vscode.DocumentLink(rangeIn(document, link), target);
      setLinkTooltip(made, shown`${link.tooltip}`);
      return [made];
    });
  }
}

/** The text is untrusted: only web pages are opened. */
function webAddress(text: string): vscode.Uri | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? vscode.Uri.parse(text) : undefined;
}

const kinds: Readonly<Record<CompletionKind, vscode.CompletionItemKind>> = {
  classType: vscode.CompletionItemKind.Class,
  input: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  link: vscode.CompletionItemKind.Reference,
  slot: vscode.CompletionItemKind.Field,
  model: vscode.CompletionItemKind.File,
  node: vscode.CompletionItemKind.Module,
  member: vscode.CompletionItemKind.Property,
};

const completionTriggers = ['"', ':', '[', ','];

class ClassItem extends vscode.CompletionItem {
  classType: string | undefined;
  file: { readonly workflow: vscode.Uri; readonly name: string } | undefined;
}

/** px */
const thumbnailWidth = 240;

export class CompletionProvider implements vscode.CompletionItemProvider<ClassItem> {
  constructor(
    private readonly documents: WorkflowDocuments,
    private readonly definitions: NodeDefinitions,
  ) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<ClassItem[] | undefined> {
    const workflow = this.documents.of(document);
    if (!workflow) return undefined;
    const { catalog } = this.definitions.rules;
    const offset = document.offsetAt(position);
    const media = new Set<UploadKind>();
    let offered = completeAtOffset(workflow, offset, catalog, (kind) => {
      media.add(kind);
      return [];
    });
    for (const kind of media) {
      const files = [...(await listLocalMedia(document.uri, kind)).keys()];
      if (token.isCancellationRequested) return undefined;
      offered = completeAtOffset(workflow, offset, catalog, () => files);
    }
    if (offered.length > 0) setContext(contextKeys.completionOffered, true);
    return offered.map((each) => itemOf(document, each));
  }

  /** Describing a node type and looking for a file wait until the item is selected. */
  async resolveCompletionItem(item: ClassItem): Promise<ClassItem> {
    const { classType, file } = item;
    const picture = file && (await findLocalPicture(file.workflow, file.name));
    if (picture) item.documentation = pictureMarkdown(picture, thumbnailWidth);
    const definition = classType === undefined ? undefined : this.definitions.rules.catalog?.get(classType);
    if (definition) item.documentation = untrustedMarkdown(classMarkdown(definition));
    return item;
  }
}

function itemOf(document: vscode.TextDocument, completion: Completion): ClassItem {
  const { kind, label, detail, documentation, edit, furtherEdits, localFile } = completion;
  const item = new ClassItem(plainText(label), kinds[kind]);
  if (detail !== undefined) item.detail = plainText(detail);
  if (documentation !== undefined) item.documentation = untrustedMarkdown(documentation);
  else if (localFile !== undefined) item.file = { workflow: document.uri, name: localFile };
  else if (kind === 'classType') item.classType = label;
  item.range = rangeIn(document, edit);
  item.insertText = completion.isSnippet ? new vscode.SnippetString(edit.newText) : edit.newText;
  item.filterText = completion.filterText;
  item.sortText = completion.sortText;
  // The edit is already formatted.
  item.keepWhitespace = true;
  if (completion.isDeprecated) item.tags = [vscode.CompletionItemTag.Deprecated];
  if (furtherEdits) item.additionalTextEdits = furtherEdits.map((each) => editIn(document, each));
  return item;
}

export interface WorkflowLanguage extends Owned {
  readonly definitions: NodeDefinitions;
  readonly prompts: PromptDocuments;
  readonly documents: WorkflowDocuments;
  readonly lenses: LensProvider;
  readonly checks: Pick<Checks, 'findings'>;
  compare(args: readonly unknown[]): Promise<void>;
  outputsAtCursor(): readonly string[];
}

export function startLanguage(platform: Platform, runs: WindowRuns, early: EarlyLenses): WorkflowLanguage {
  const { extensionUri, log } = platform;
  const owned: Owned[] = [];
  const own = <T extends Owned>(part: T): T => {
    owned.push(part);
    return part;
  };
  const documents = own(new WorkflowDocuments());
  const definitions = own(new NodeDefinitions(platform, runs.servers, runs.store, early));
  const localFiles = own(new LocalFiles());
  const pages = new CheckPages(extensionUri);
  pages.load().catch((error: unknown) => log.error('Reading the page of checks', error));
  const checks = own(new Checks(documents, definitions, pages, localFiles, log));
  own(keepMissingModelsKey(checks));
  own(refreshOnFocus(documents, definitions, log));
  const prompts = own(new PromptDocuments(definitions));
  const texts = own(new ComparedTexts());
  own(new DefinitionsStatus(definitions, documents));
  own(indexAhead(definitions, () => checks.classesIndexed()));

  const { languages } = vscode;
  const navigation = new NavigationProviders(documents, definitions);
  const hints = own(new HintProvider(documents, definitions));
  const lenses = own(new LensProvider(documents, definitions, checks));
  const codeActions = new CodeActionProvider(documents, definitions, checks);
  const completion = new CompletionProvider(documents, definitions);
  own(languages.registerCompletionItemProvider(selector, completion, ...completionTriggers));
  own(new MediaDrop(documents, definitions, platform).register());
  own(languages.registerHoverProvider(selector, navigation));
  own(languages.registerDefinitionProvider(selector, navigation));
  own(languages.registerReferenceProvider(selector, navigation));
  own(languages.registerDocumentSymbolProvider(selector, navigation, { label: 'Comfy Deck' }));
  own(languages.registerFoldingRangeProvider(selector, navigation));
  own(languages.registerInlayHintsProvider(selector, hints));
  own(languages.registerDocumentLinkProvider(selector, new LinkProvider(documents, definitions, localFiles)));
  own(languages.registerDocumentSemanticTokensProvider(selector, new TokenProvider(documents), tokenLegend));
  own(languages.registerCodeActionsProvider(selector, codeActions, codeActionKinds));
  own(registerRename(documents));
  return {
    definitions,
    prompts,
    documents,
    lenses,
    checks,
    compare: async (args) => {
      const { CompareCommand } = await import('../compare/compareWorkflows');
      const { runWorkflows } = await import('./runWorkflows');
      await new CompareCommand(platform, definitions, texts, runWorkflows(runs)).compare(args);
    },
    outputsAtCursor: () => {
      const document = activeDocument();
      const workflow = document && documents.of(document);
      const offset = activeOffset() ?? 0;
      return (workflow && outputNodeAt(workflow, offset, definitions.rules.catalog)?.runIds) ?? [];
    },
    dispose: () => owned.reverse().forEach((part) => void part.dispose()),
  };
}

/** Definitions must exist this long before they are indexed (ms): the file is shown first. */
const indexAfter = 1_000;

/** Builds the list of node types for completions and suggestions in advance, in steps too small to delay typing. */
function indexAhead(definitions: NodeDefinitions, onIndexed: () => void): vscode.Disposable {
  let indexed: Catalog | undefined;
  let timer: NodeJS.Timeout | undefined;
  const follow = (): void => {
    const { catalog } = definitions.rules;
    if (catalog === indexed) return;
    indexed = catalog;
    clearTimeout(timer);
    if (!catalog) return;
    const steps = indexClasses(catalog);
    const step = (): void => {
      if (indexed !== catalog) return;
      if (steps.next().done === true) onIndexed();
      else timer = setTimeout(step, 0);
    };
    timer = setTimeout(step, indexAfter);
  };
  const following = definitions.onDidChangeRules(follow);
  follow();
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    following.dispose();
  });
}

const focusRest = 30_000;
const mostClasses = 10;

/** A user who returns to the window may have added a model or a pack. */
function refreshOnFocus(
  documents: WorkflowDocuments,
  definitions: NodeDefinitions,
  log: Log,
): vscode.Disposable {
  let lookedAt = 0;
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    const { catalog } = definitions.rules;
    if (!focused || !catalog || Date.now() - lookedAt < focusRest) return;
    // The sandbox's node types never change.
    if (definitions.state.server?.kind === 'sandbox') return;
    const inSight = documentsInSight()
      .filter(isWorkedOn)
      .map((document) => documents.of(document))
      .filter((workflow) => workflow !== undefined);
    const classTypes = new Set(inSight.flatMap((each) => typesToRefresh(each, catalog, mostClasses)));
    if (classTypes.size === 0) return;
    lookedAt = Date.now();
    definitions
      .lookAgain([...classTypes].slice(0, mostClasses))
      .catch((error: unknown) => log.error('Asking for node definitions again', error));
  });
}
