import type { CompareParts } from '../compare/compareWorkflows';
import { setTimeout as elapsed } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { JobStore } from '../../core/jobs/jobStore';
import { outputNodeAt } from '../../core/language/places/outputNodes';
import { ComparedTexts } from '../compare/comparedTexts';
import { DefinitionFiles } from '../catalogs/definitionFiles';
import { NodeDefinitions } from '../catalogs/definitionSource';
import { missingDefinitionsText } from '../catalogs/missingDefinitions';
import { activeDocument, activeOffset, documentsInSight } from '../platform/activeDocument';
import type { Owned } from '../platform/feature';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import type { Storage } from '../platform/storage';
import type { OutputPlaces } from '../outputs/outputPlace';
import type { Servers } from '../servers/servers';
import { workflowLanguages as selector } from '../platform/workflowSource';
import { HintProvider, LensProvider, TokenProvider, tokenLegend } from './annotationProviders';
import { CheckPages } from './checkPages';
import { Checks } from './checks';
import { CodeActionProvider, codeActionKinds } from './codeActionProvider';
import { CompletionProvider, completionTriggers } from './completionProvider';
import { DefinitionsStatus } from './definitionsStatus';
import type { FirstLenses } from './firstLenses';
import { LinkProvider } from './linkProvider';
import { keepMissingModelsKey } from './missingModelsKey';
import { LocalFiles } from './localFiles';
import { MediaDrop } from './mediaDrop';
import { NavigationProviders } from './navigationProviders';
import { PromptDocuments } from './promptDocuments';
import { registerRename } from './renameProvider';
import { WorkflowDocuments, isWorkedOn } from './workflowDocuments';
import type { Catalog } from '../../core/catalog/catalog';
import { indexClasses } from '../../core/language/classIndex';
import { typesToRefresh } from '../../core/language/typesToRefresh';

export interface LanguageParts {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  readonly storage: Storage;
  readonly servers: Servers;
  readonly store: JobStore;
  readonly places: OutputPlaces;
  readonly ready: () => Promise<void>;
  readonly firstLenses: Pick<FirstLenses, 'idle'>;
}

/** What the commands still need. */
export interface WorkflowLanguage extends Owned {
  readonly definitions: NodeDefinitions;
  readonly prompts: PromptDocuments;
  readonly documents: WorkflowDocuments;
  readonly lenses: LensProvider;
  readonly checks: Pick<Checks, 'findings'>;
  /** Compares the files that a command applies to. */
  compare(args: readonly unknown[]): Promise<void>;
  /** The runtime IDs of the output node at the cursor; none if there is none. */
  outputsAtCursor(): readonly string[];
}

/** All language features for workflow text; created when the first one is opened. */
export function startLanguage(parts: LanguageParts): WorkflowLanguage {
  const { extensionUri, log, storage, servers, store, firstLenses } = parts;
  const owned: Owned[] = [];
  const own = <T extends Owned>(part: T): T => {
    owned.push(part);
    return part;
  };
  const documents = own(new WorkflowDocuments());
  const files = new DefinitionFiles(storage);
  const idle = (): Promise<void> => firstLenses.idle();
  const definitions = own(new NodeDefinitions({ servers, store, files, log, idle }));
  const localFiles = own(new LocalFiles());
  const pages = new CheckPages(extensionUri);
  pages.load().catch((error: unknown) => log.error('Reading the page of checks', error));
  const checks = own(new Checks({ documents, definitions, pages, localFiles, log }));
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
  const codeActions = new CodeActionProvider({ documents, definitions, checks });
  const completion = new CompletionProvider(documents, definitions);
  own(languages.registerCompletionItemProvider(selector, completion, ...completionTriggers));
  const tell = (error: unknown): undefined => {
    tellProblem(error, log);
  };
  own(new MediaDrop(documents, definitions, tell).register());
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
      const { compareWorkflows } = await import('../compare/compareWorkflows');
      const known = (): Catalog | undefined => definitions.rules.catalog;
      const ready = (): Promise<Catalog | undefined> => definitions.ready().then(known, known);
      const catalog = () => Promise.race([ready(), elapsed(longestCatalogWait).then(known)]);
      const { runWorkflows } = await import('./runWorkflows');
      const runs = runWorkflows(parts);
      const whyMissing = (): string => missingDefinitionsText(definitions.state);
      const sources: CompareParts['sources'] = async (given) =>
        (await import('../runs/filesToRun')).filesToRun(given, extensionUri);
      await compareWorkflows(args, { texts, log, extensionUri, catalog, whyMissing, runs, sources });
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

/** A comparison does without node definitions after that, ms. */
const longestCatalogWait = 1_500;

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

/** Windows that get focus ask at most this often (ms). */
const focusRest = 30_000;
/** At most this many node types are requested at a time. */
const mostClasses = 10;

/**
 * A user who returns to the window may have added a model or a pack: the node types of visible workflows are requested
 * again, and the findings update. Without a visible workflow, nothing is sent.
 */
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
    const inSight = documentsInSight().flatMap((document) =>
      isWorkedOn(document) ? (documents.of(document) ?? []) : [],
    );
    const classTypes = new Set(inSight.flatMap((each) => typesToRefresh(each, catalog, mostClasses)));
    if (classTypes.size === 0) return;
    lookedAt = Date.now();
    definitions
      .lookAgain([...classTypes].slice(0, mostClasses))
      .catch((error: unknown) => log.error('Asking for node definitions again', error));
  });
}
