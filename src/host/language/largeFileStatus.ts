import { open, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { numberText, t } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';
import { looksLikeWorkflow } from '../../core/workflow/format';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { setLanguageStatusWords } from '../platform/showItems';
import { openDocument } from '../platform/activeDocument';

/** VS Code's limit: extensions never see files larger than `shared` (bytes). */
export interface FileLimits {
  readonly shared: number;
  /** Beyond these, VS Code turns off what is slow in large files. */
  readonly plain: number;
  readonly plainLines: number;
}

const limitsOfVsCode: FileLimits = { shared: 50 * 2 ** 20, plain: 20 * 2 ** 20, plainLines: 300_000 };

const headLength = 128 * 1024;

/** Shows in the language status what VS Code turns off for a workflow file because of its size. */
export class LargeFileStatus implements Feature {
  #item: vscode.LanguageStatusItem | undefined;

  constructor(
    private readonly log: Log,
    private readonly limits = limitsOfVsCode,
  ) {}

  register(context: vscode.ExtensionContext): void {
    const look = (): void => {
      this.look().catch((error: unknown) => this.log.error('Looking at the size of a file', error));
    };
    const { tabGroups } = vscode.window;
    context.subscriptions.push(
      tabGroups.onDidChangeTabs(look),
      tabGroups.onDidChangeTabGroups(look),
      new vscode.Disposable(() => this.#item?.dispose()),
    );
    setTimeout(look, 0);
  }

  /** A file that VS Code doesn't share with extensions is known only by its tab. */
  async look(): Promise<void> {
    const uri = jsonInFront();
    const words = uri && (await this.#wordsFor(uri));
    if (!uri || !words) return;
    if (!this.#item) {
      this.#item = vscode.languages.createLanguageStatusItem('comfy-deck-large-file', []);
      this.#item.name = t`Comfy Deck: Large File`;
      this.#item.severity = vscode.LanguageStatusSeverity.Warning;
    }
    this.#item.selector = { scheme: uri.scheme, pattern: uri.fsPath };
    setLanguageStatusWords(this.#item, words);
  }

  async #wordsFor(uri: vscode.Uri): Promise<{ readonly text: Shown; readonly detail: Shown } | undefined> {
    const { size } = await stat(uri.fsPath);
    const { shared, plain, plainLines } = this.limits;
    const document = openDocument(uri);
    const isPlain = size > plain || (document !== undefined && document.lineCount > plainLines);
    if (!isPlain || !looksLikeWorkflow(await headOf(uri.fsPath))) return undefined;
    if (size > shared && !document) {
      return {
        text: shown`Too large to check`,
        detail: shown`VS Code doesn't share files over ${megabytes(shared)} with extensions`,
      };
    }
    return {
      text: shown`No code lenses`,
      detail: shown`VS Code turns them off in files over ${megabytes(plain)} or ${numberText(plainLines)} lines, as well as folding and colors`,
    };
  }
}

function jsonInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText ? input.uri : undefined;
  return uri?.scheme === 'file' && /\.jsonc?$/i.test(uri.path) ? uri : undefined;
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function megabytes(bytes: number): string {
  return t`${Math.round(bytes / 2 ** 20)} MB`;
}
