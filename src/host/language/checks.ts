import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import { type CheckReport, checkWorkflow } from '../../core/check/checkWorkflow';
import { type CheckCode, isCheckCode, type Severity } from '../../core/check/codes';
import type { Finding } from '../../core/check/finding';
import { nodeTypeAliases } from '../../core/check/rules/classTypes';
import { indexedClasses } from '../../core/language/classIndex';
import { plainText } from '../../core/safety/plainText';
import { shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { contextKeys, settings } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import { Owner } from '../platform/feature';
import type { Log } from '../platform/log';
import { onSettingChange, readSetting } from '../platform/settings';
import { checkSource } from '../runs/runDiagnostics';
import { lensFirst } from './lensFirst';
import type { LocalFiles } from './localFiles';
import { rangeIn } from '../platform/editorRanges';
import { isWorkedOn, type WorkflowDocuments } from './workflowDocuments';
import { shownDiagnostic as mark } from '../platform/showItems';
import { mentionsModel } from '../../core/workflow/modelNames';
import { activeDocument, onDidChangeActiveDocument } from '../platform/activeDocument';
import { Timers } from '../platform/timers';

/** The documentation page in the extension, opened at the section of a code. */
export class CheckPages {
  readonly #page: vscode.Uri;
  #lines: ReadonlyMap<string, number> = new Map();

  constructor(extensionUri: vscode.Uri) {
    this.#page = vscode.Uri.joinPath(extensionUri, 'docs', 'checks.md');
  }

  async load(): Promise<void> {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#page));
    const headings = text.split(/\r?\n/).map((line) => /^#+\s+`?([\w-]+)`?\s*$/.exec(line)?.[1]);
    this.#lines = new Map(headings.flatMap((heading, line) => (heading ? [[heading, line + 1]] : [])));
  }

  addressOf(code: CheckCode): vscode.Uri {
    const line = this.#lines.get(code);
    return line === undefined ? this.#page : this.#page.with({ fragment: `L${line}` });
  }
}

const rest = 200;

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

const tags = {
  unnecessary: vscode.DiagnosticTag.Unnecessary,
  deprecated: vscode.DiagnosticTag.Deprecated,
} as const;

type Aliases = ReadonlyMap<string, readonly string[]>;

const noAliases: Aliases = new Map();

interface Published {
  readonly version: number;
  readonly findings: readonly Finding[];
}

interface Checked {
  readonly version: number;
  readonly catalog: Catalog | undefined;
  readonly report: CheckReport;
}

export class Checks extends Owner {
  readonly #collection = vscode.languages.createDiagnosticCollection('comfy-deck-checks');
  readonly #checked = new Map<string, Checked>();
  readonly #timers = new Timers<string>();
  readonly #published = new Map<string, Published>();
  readonly #wasChecked = new vscode.EventEmitter<vscode.TextDocument>();
  readonly onDidCheck = this.#wasChecked.event;
  readonly #aliases = new WeakMap<Catalog, Aliases>();
  #lackedAliases = false;

  constructor(
    private readonly documents: WorkflowDocuments,
    private readonly definitions: NodeDefinitions,
    private readonly pages: CheckPages,
    private readonly localFiles: LocalFiles,
    private readonly log: Log,
  ) {
    super();
    this.own(
      this.#timers,
      this.#wasChecked,
      this.#collection,
      localFiles.onDidChange((uri) => this.#checkAgain(uri)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#checkSoon(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#checkSoon(document, rest);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      definitions.onDidChangeRules(() => this.#checkAll()),
      onSettingChange([settings.checkSeverity, settings.suppressedChecks], () => this.#checkAll()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration('json.validate')) return;
        // The same findings may now have other severities.
        for (const [key, each] of this.#published) this.#published.set(key, { ...each, version: NaN });
        this.#checkAll();
      }),
    );
    this.#checkAll();
  }

  findings(document: vscode.TextDocument): readonly Finding[] {
    return this.#report(document)?.findings ?? [];
  }

  /** The findings that the editor last got. */
  told({ uri }: vscode.TextDocument): readonly Finding[] {
    return this.#published.get(uri.toString())?.findings ?? [];
  }

  /** All node types have been read, so suggestions are possible that were not before. */
  classesIndexed(): void {
    if (!this.#lackedAliases) return;
    this.#lackedAliases = false;
    this.#checkAll();
  }

  #checkAll(): void {
    this.#checked.clear();
    for (const document of vscode.workspace.textDocuments) this.#checkSoon(document, 0);
  }

  #checkSoon(document: vscode.TextDocument, delay: number): void {
    if (document.languageId !== 'json' && document.languageId !== 'jsonc') {
      this.#forget(document.uri);
      return;
    }
    const key = document.uri.toString();
    this.#timers.start(key, delay, () => {
      this.#show(document).catch((error: unknown) => {
        this.#published.delete(key);
        this.#collection.delete(document.uri);
        this.log.error('Checking a workflow file', error);
      });
    });
  }

  /** A file is checked once the cache has been read, and reported once. */
  async #show(document: vscode.TextDocument): Promise<void> {
    const { definitions, localFiles } = this;
    const { uri, version } = document;
    const isOvertaken = (): boolean =>
      document.isClosed || document.version !== version || this.#timers.has(uri.toString());
    await definitions.loaded();
    await lensFirst(document);
    if (isOvertaken()) return;
    if (this.#report(document)) await localFiles.settled(uri);
    if (isOvertaken()) return;
    this.#publish(document, this.#report(document)?.findings);
    this.#wasChecked.fire(document);
  }

  /** Reporting the same again would make VS Code redo its work. */
  #publish(document: vscode.TextDocument, findings: readonly Finding[] | undefined): void {
    const { uri, version } = document;
    const key = uri.toString();
    const before = this.#published.get(key);
    if (findings) this.#published.set(key, { version, findings });
    else this.#published.delete(key);
    const isSame = before?.version === version && isDeepStrictEqual(before.findings, findings);
    if (isSame || (!before?.findings.length && !findings?.length)) return;
    if (findings) this.#collection.set(uri, this.#diagnostics(document, findings));
    else this.#collection.delete(uri);
    if (findings?.length) setContext(contextKeys.findingShown, true);
  }

  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    this.#timers.stop(key);
    this.#checked.delete(key);
    this.#published.delete(key);
    this.localFiles.forget(uri);
    this.#collection.delete(uri);
  }

  #checkAgain(uri: vscode.Uri): void {
    const key = uri.toString();
    this.#checked.delete(key);
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === key);
    if (document) this.#checkSoon(document, 0);
  }

  #report(document: vscode.TextDocument): CheckReport | undefined {
    const workflow = isWorkedOn(document) ? this.documents.of(document) : undefined;
    if (!workflow) return undefined;
    const key = document.uri.toString();
    const known = this.#checked.get(key);
    const { rules, state } = this.definitions;
    const { catalog, replacements, version } = rules;
    if (known?.version === document.version && known.catalog === catalog) return known.report;
    const report = checkWorkflow(workflow, {
      catalog,
      replacements,
      serverVersion: version,
      serverName: state.server?.name,
      isSandbox: state.server?.kind === 'sandbox',
      isLocal: (name, kind) => this.localFiles.has(document.uri, name, kind),
      aliases: catalog && (() => this.#aliasesOf(catalog)),
      ...checkSettings(document.uri),
    });
    this.#checked.set(key, { version: document.version, catalog, report });
    return report;
  }

  /** Suggesting similar node types requires all definitions, so a check before that does without. */
  #aliasesOf(catalog: Catalog): Aliases {
    const known = this.#aliases.get(catalog);
    if (known) return known;
    const classes = indexedClasses(catalog);
    if (!classes) {
      this.#lackedAliases = true;
      return noAliases;
    }
    const aliases = nodeTypeAliases(classes);
    this.#aliases.set(catalog, aliases);
    return aliases;
  }

  #diagnostics(document: vscode.TextDocument, findings: readonly Finding[]): vscode.Diagnostic[] {
    const told = hasOwnSyntaxCheck(document)
      ? findings.filter(({ code }) => code !== 'json-syntax')
      : findings;
    return told.map((finding) => this.#diagnostic(document, finding));
  }

  #diagnostic(document: vscode.TextDocument, finding: Finding): vscode.Diagnostic {
    const { code, severity, message, related } = finding;
    const diagnostic = mark(rangeIn(document, finding), shown`${message}`, severities[severity]);
    diagnostic.source = checkSource;
    diagnostic.code = { value: code, target: this.pages.addressOf(code) };
    if (finding.tags) diagnostic.tags = finding.tags.map((tag) => tags[tag]);
    if (related) {
      diagnostic.relatedInformation = related.map(
        (place) =>
          new vscode.DiagnosticRelatedInformation(
            new vscode.Location(document.uri, rangeIn(document, place)),
            plainText(place.message),
          ),
      );
    }
    return diagnostic;
  }
}

/** VS Code's JSON support reports invalid JSON at the same place. If it is off, we do. */
export function hasOwnSyntaxCheck({ languageId, uri }: vscode.TextDocument): boolean {
  return (
    (languageId === 'json' || languageId === 'jsonc') &&
    vscode.extensions.getExtension('vscode.json-language-features') !== undefined &&
    vscode.workspace.getConfiguration('json', uri).get('validate.enable') !== false
  );
}

const levels: readonly string[] = ['error', 'warning', 'information', 'hint', 'off'] satisfies (
  Severity | 'off'
)[];

function checkSettings(uri: vscode.Uri) {
  const severities: Partial<Record<CheckCode, Severity | 'off'>> = {};
  for (const [code, level] of Object.entries(readSetting(settings.checkSeverity, uri) ?? {})) {
    if (isCheckCode(code) && isLevel(level)) severities[code] = level;
  }
  const suppressed = new Set(
    (readSetting(settings.suppressedChecks, uri) ?? []).filter(
      (code): code is CheckCode => typeof code === 'string' && isCheckCode(code),
    ),
  );
  return { severities, suppressed };
}

function isLevel(value: unknown): value is Severity | 'off' {
  return typeof value === 'string' && levels.includes(value);
}

/** Whether a finding reports a model that the server lacks. */
export function isMissingModelFinding({ code, message }: Finding): boolean {
  return code === 'model-not-on-server' || (code === 'option-unknown' && mentionsModel(message));
}

export function keepMissingModelsKey(checks: Checks): vscode.Disposable {
  const tell = (): void => {
    const document = activeDocument();
    const findings = document ? checks.told(document) : [];
    setContext(contextKeys.missesModels, findings.some(isMissingModelFinding));
  };
  return vscode.Disposable.from(checks.onDidCheck(tell), onDidChangeActiveDocument(tell));
}
