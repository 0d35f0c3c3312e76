import * as vscode from 'vscode';
import { PositionCounter } from '../../core/json/position';
import { inlayHints } from '../../core/language/annotations/inlayHints';
import { type Lens, workflowLenses } from '../../core/language/annotations/lenses';
import { semanticTokens, type TokenKind } from '../../core/language/annotations/semanticTokens';
import { plainText } from '../../core/safety/plainText';
import { shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { commands, settings } from '../platform/contributions';
import { Owner } from '../platform/feature';
import { onSettingChange, readSetting } from '../platform/settings';
import { countedProblems } from '../runs/runDiagnostics';
import type { Checks } from './checks';
import { offsetsIn, rangeIn } from '../platform/editorRanges';
import { isLensAwaited, isStillWanted } from './lensFirst';
import { isWorkedOn, type WorkflowDocuments } from './workflowDocuments';
import { codeLens, type LensCommand } from '../platform/showItems';

export class HintProvider extends Owner implements vscode.InlayHintsProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(
    private readonly documents: WorkflowDocuments,
    private readonly definitions: NodeDefinitions,
  ) {
    super();
    this.own(
      this.#changed,
      definitions.onDidChangeRules(() => this.#changed.fire()),
    );
  }

  async provideInlayHints(
    document: vscode.TextDocument,
    range: vscode.Range,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlayHint[] | undefined> {
    const workflow = (await isStillWanted(document, token)) ? this.documents.of(document) : undefined;
    if (!workflow) return undefined;
    const { catalog } = this.definitions.rules;
    return inlayHints(workflow, offsetsIn(document, range), catalog).map(
      ({ offset, label, side, kind, tooltip }) => {
        const hint = new vscode.InlayHint(
          document.positionAt(offset),
          plainText(label),
          kind === 'widget' ? vscode.InlayHintKind.Parameter : vscode.InlayHintKind.Type,
        );
        if (side === 'before') hint.paddingRight = true;
        else hint.paddingLeft = true;
        if (tooltip !== undefined) hint.tooltip = plainText(tooltip);
        return hint;
      },
    );
  }
}

export class LensProvider extends Owner implements vscode.CodeLensProvider {
  readonly #given = new Map<vscode.TextDocument, { readonly version: number; readonly text: string }>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(
    private readonly documents: WorkflowDocuments,
    private readonly definitions: Pick<NodeDefinitions, 'rules'>,
    checks: Pick<Checks, 'onDidCheck'>,
  ) {
    super();
    const changed = (): void => this.#changed.fire();
    this.own(
      this.#changed,
      checks.onDidCheck((document) => this.#compare(document)),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const changed = new Set(uris.map((uri) => uri.toString()));
        for (const document of this.#given.keys())
          if (changed.has(document.uri.toString())) this.#compare(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => void this.#given.delete(document)),
      onSettingChange([settings.codeLenses], changed),
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
    );
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[] | undefined> {
    if (readSetting(settings.codeLenses, document.uri) !== true || !isWorkedOn(document)) return undefined;
    const found = (await isStillWanted(document, token, Promise.resolve()))
      ? this.#lenses(document)
      : undefined;
    if (!found) return undefined;
    this.#given.set(document, { version: document.version, text: JSON.stringify(found) });
    return found.flatMap((lens) => {
      const command = vscode.workspace.isTrusted ? commandOf(document, lens) : withoutTrust(document, lens);
      return command ? [codeLens(rangeIn(document, lens), command)] : [];
    });
  }

  #lenses(document: vscode.TextDocument): readonly Lens[] | undefined {
    const workflow = this.documents.of(document);
    if (!workflow) return undefined;
    const catalog = isLensAwaited(document) ? undefined : this.definitions.rules.catalog;
    return workflowLenses(
      workflow,
      countedProblems(document.uri).map((each) => problemIn(document, each)),
      catalog,
    );
  }

  /** VS Code asks for a new version by itself, so only changes of the same version count. */
  #compare(document: vscode.TextDocument): void {
    const given = this.#given.get(document);
    if (given?.version !== document.version) return;
    const text = JSON.stringify(this.#lenses(document));
    if (text === given.text) return;
    // VS Code may not have asked yet for what was announced.
    this.#given.set(document, { ...given, text });
    this.#changed.fire();
  }
}

function problemIn(
  document: vscode.TextDocument,
  { severity, range }: vscode.Diagnostic,
): Parameters<typeof workflowLenses>[1][number] {
  const isError = severity === vscode.DiagnosticSeverity.Error;
  return { severity: isError ? 'error' : 'warning', ...offsetsIn(document, range) };
}

/** Nothing runs in an untrusted workspace: instead of Run, the lens says what to do. */
function withoutTrust(document: vscode.TextDocument, lens: Lens): LensCommand | undefined {
  if (lens.kind === 'problems') return commandOf(document, lens);
  if (lens.kind !== 'run') return undefined;
  return {
    title: shown`$(workspace-untrusted) Trust this workspace to run`,
    tooltip: shown`A workflow file from someone else could spend your credits. Trust the workspace if you know where its files come from.`,
    command: 'workbench.trust.manage',
  };
}

function commandOf(document: vscode.TextDocument, lens: Lens): LensCommand {
  const title = shown`${lens.title}`;
  switch (lens.kind) {
    case 'run':
      return { title: shown`$(play) ${title}`, command: commands.run, arguments: [document.uri] };
    case 'runWithNewSeeds':
      return { title, command: commands.runWithNewSeeds, arguments: [document.uri] };
    case 'runToHere':
      return { title, command: commands.runToHere, arguments: [document.uri, ...lens.nodeIds] };
    case 'problems': {
      const place = rangeIn(document, lens.first).start;
      return {
        title,
        command: 'editor.action.goToLocations',
        arguments: [document.uri, place, [new vscode.Location(document.uri, place)], 'goto'],
      };
    }
  }
}

const tokenTypes: Readonly<Record<TokenKind, string>> = {
  nodeId: 'comfyNodeId',
  classType: 'comfyClassType',
  link: 'comfyLink',
  model: 'comfyModel',
  type: 'comfyType',
};

export const tokenLegend = new vscode.SemanticTokensLegend(Object.values(tokenTypes), ['declaration']);

const typeIndexes = Object.fromEntries(
  Object.keys(tokenTypes).map((kind, index) => [kind, index]),
) as Readonly<Record<TokenKind, number>>;

/** The bit of the legend's only modifier. */
const declaration = 1;

export class TokenProvider implements vscode.DocumentSemanticTokensProvider {
  constructor(private readonly documents: WorkflowDocuments) {}

  async provideDocumentSemanticTokens(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.SemanticTokens | undefined> {
    const workflow = (await isStillWanted(document, token)) ? this.documents.of(document) : undefined;
    if (!workflow) return undefined;
    // No Range object per token: a file of a thousand nodes has twelve thousand.
    const builder = new vscode.SemanticTokensBuilder();
    const positions = new PositionCounter(workflow.text);
    for (const { kind, offset, length, isDeclaration } of semanticTokens(workflow)) {
      const { line, character } = positions.positionAt(offset);
      builder.push(line, character, length, typeIndexes[kind], isDeclaration ? declaration : 0);
    }
    return builder.build();
  }
}
