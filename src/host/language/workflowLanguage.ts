import * as vscode from 'vscode';
import type { JobStore } from '../../core/jobs/jobStore';
import { outputNodeAt } from '../../core/language/places/outputNodes';
import { DefinitionFiles } from '../catalogs/definitionFiles';
import { NodeDefinitions } from '../catalogs/definitionSource';
import type { Owned } from '../platform/feature';
import type { Log } from '../platform/log';
import type { Storage } from '../platform/storage';
import type { Servers } from '../servers/servers';
import { workflowLanguages as selector } from '../runs/workflowSource';
import { HintProvider, LensProvider, TokenProvider, tokenLegend } from './annotationProviders';
import { CheckPages } from './checkPages';
import { Checks } from './checks';
import { indexAhead } from './classesAhead';
import { CodeActionProvider, codeActionKinds } from './codeActionProvider';
import { CompletionProvider, completionTriggers } from './completionProvider';
import { DefinitionsStatus } from './definitionsStatus';
import type { FirstLenses } from './firstLenses';
import { LinkProvider } from './linkProvider';
import { refreshOnFocus } from './refreshOnFocus';
import { keepMissingModelsKey } from './missingModelsKey';
import { LocalFiles } from './localFiles';
import { NavigationProviders } from './navigationProviders';
import { PromptDocuments } from './promptDocuments';
import { registerRename } from './renameProvider';
import { WorkflowDocuments } from './workflowDocuments';

export interface LanguageParts {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  readonly storage: Storage;
  readonly servers: Servers;
  readonly store: JobStore;
  readonly firstLenses: Pick<FirstLenses, 'idle'>;
}

/** What is left to the commands. */
export interface WorkflowLanguage extends Owned {
  readonly definitions: NodeDefinitions;
  readonly prompts: PromptDocuments;
  readonly documents: WorkflowDocuments;
  readonly lenses: LensProvider;
  /** The ids, when it runs, of the output node that the cursor is in; none where it is in no such node. */
  outputsAtCursor(): readonly string[];
}

/** Everything that understands the text of workflow files; made when the first one is opened. */
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
  own(new DefinitionsStatus(definitions, documents));
  own(indexAhead(definitions, () => checks.classesIndexed()));

  const { languages } = vscode;
  const navigation = new NavigationProviders(documents, definitions);
  const hints = own(new HintProvider(documents, definitions));
  const lenses = own(new LensProvider(documents, definitions, checks));
  const codeActions = new CodeActionProvider({ documents, definitions, checks });
  const completion = new CompletionProvider(documents, definitions);
  own(languages.registerCompletionItemProvider(selector, completion, ...completionTriggers));
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
    outputsAtCursor: () => {
      const editor = vscode.window.activeTextEditor;
      const workflow = editor && documents.of(editor.document);
      const offset = editor?.document.offsetAt(editor.selection.active) ?? 0;
      return (workflow && outputNodeAt(workflow, offset, definitions.rules.catalog)?.runIds) ?? [];
    },
    dispose: () => owned.reverse().forEach((part) => void part.dispose()),
  };
}
