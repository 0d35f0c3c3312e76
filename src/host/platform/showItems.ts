import * as vscode from 'vscode';
import { type Shown, shown } from '../../core/safety/shownText';
import { commands } from './contributions';
import { definedFields } from './defined';
import { withoutSecrets } from './shownSecrets';

/*
 * Rows, items and diagnostics that stay in the window, and Markdown. As in show.ts, lint forbids creating them
 * elsewhere.
 */

export interface RowIcon {
  readonly id: string;
  readonly color?: string;
}

export interface RowWords {
  readonly label: string;
  readonly description: string;
  /** Words for `when` clauses of menus. */
  readonly contextValue: string;
  /** For screen readers, instead of label and description: the state in words, never by icon or color alone. */
  readonly spoken: string;
  readonly tooltip?: Shown;
}

export interface RowContent extends RowWords {
  readonly icon: RowIcon;
}

export interface RowActions {
  readonly state?: vscode.TreeItemCollapsibleState;
  readonly pictures?: readonly vscode.Uri[] | undefined;
  readonly command?: vscode.Command | undefined;
}

const ours: ReadonlySet<string> = new Set(Object.values(commands));

/** Height of a picture in a tooltip, px: of one alone, and of several side by side. */
const pictureHeight = 180;
const smallPictureHeight = 90;

export function treeItem(
  id: string,
  content: RowWords | RowContent,
  actions: RowActions = {},
): vscode.TreeItem {
  const { label, description, spoken, tooltip, contextValue } = content;
  const { state = vscode.TreeItemCollapsibleState.None, pictures = [], command } = actions;
  const item = new vscode.TreeItem(line(label), state);
  item.id = id;
  item.contextValue = contextValue;
  item.description = line(description);
  item.accessibilityInformation = { label: line(spoken) };
  if (tooltip && pictures.length > 0) item.tooltip = pictureTooltip(tooltip, pictures);
  else if (tooltip) item.tooltip = withoutSecrets(tooltip.lines());
  if ('icon' in content) item.iconPath = themeIcon(content.icon);
  if (command) item.command = command;
  return item;
}

function themeIcon({ id, color }: RowIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

function line(text: string): string {
  return withoutSecrets(shown`${text}`.line());
}

/** Never trusted, so nothing in it runs; a file address has no character that ends a link. */
function pictureTooltip(words: Shown, pictures: readonly vscode.Uri[]): vscode.MarkdownString {
  const lines = withoutSecrets(words.markdown()).replaceAll('\n', '  \n');
  const height = pictures.length > 1 ? smallPictureHeight : pictureHeight;
  const drawn = pictures.map((picture) => `![](${picture.toString()}|height=${height})`);
  return new vscode.MarkdownString(`${lines}\n\n${drawn.join(' ')}`);
}

/** The texts around the rows of a tree: what is given replaces the current ones. */
export function setViewWords(
  view: {
    message?: string | undefined;
    description?: string | undefined;
    badge?: vscode.ViewBadge | undefined;
  },
  words: {
    readonly message?: Shown | undefined;
    readonly description?: Shown;
    readonly badge?: { readonly value: number; readonly tooltip: Shown } | undefined;
  },
): void {
  if ('message' in words) view.message = withoutSecrets(words.message?.line());
  if (words.description) view.description = withoutSecrets(words.description.line());
  if ('badge' in words) {
    const { badge } = words;
    view.badge = badge && { value: badge.value, tooltip: withoutSecrets(badge.tooltip.line()) };
  }
}

export function setPanelTitle(panel: vscode.WebviewPanel, title: Shown): void {
  panel.title = withoutSecrets(title.line());
}

/** A status bar item; our own icons may be in its text. */
export function setStatusWords(
  item: vscode.StatusBarItem,
  words: { readonly text: Shown; readonly spoken: Shown; readonly tooltip?: vscode.MarkdownString },
): void {
  item.text = withoutSecrets(words.text.line());
  item.accessibilityInformation = { label: withoutSecrets(words.spoken.line()), role: 'button' };
  item.tooltip = words.tooltip;
}

/** The texts of a language status item; VS Code renders links and icons in its detail. */
export function setLanguageStatusWords(
  item: vscode.LanguageStatusItem,
  words: { readonly text: Shown; readonly detail: Shown },
): void {
  item.text = withoutSecrets(words.text.line());
  item.detail = withoutSecrets(words.detail.line());
}

/** Markdown that may run the commands of the links in it and no other. It has no icons. */
export function markdownWithCommands(text: Shown): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(withoutSecrets(text.markdown()));
  const enabledCommands = text.linkedCommands().filter((command) => ours.has(command));
  if (enabledCommands.length > 0) markdown.isTrusted = { enabledCommands };
  return markdown;
}

/** Markdown from core, where outside text is escaped. It is never trusted: its links run nothing. */
export function untrustedMarkdown(markdown: string): vscode.MarkdownString {
  return new vscode.MarkdownString(withoutSecrets(markdown));
}

/** A workspace picture, no wider than this (pixels). Its address is encoded, so that it can't form anything else. */
export function pictureMarkdown(picture: vscode.Uri, width: number): vscode.MarkdownString {
  return new vscode.MarkdownString(`![](${picture.toString()}|width=${width})`);
}

/** The tooltip of a link in a file. VS Code renders it as Markdown with icons. */
export function setLinkTooltip(link: vscode.DocumentLink, tooltip: Shown): void {
  link.tooltip = withoutSecrets(tooltip.line());
}

/** A diagnostic in a file. VS Code renders no links or icons here. */
export function shownDiagnostic(
  range: vscode.Range,
  message: Shown,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  return new vscode.Diagnostic(range, withoutSecrets(message.lines()), severity);
}

/** A code lens; our own icons may be in its title. */
export interface LensCommand extends Omit<vscode.Command, 'title' | 'tooltip'> {
  readonly title: Shown;
  readonly tooltip?: Shown;
}

export function codeLens(range: vscode.Range, { title, tooltip, ...command }: LensCommand): vscode.CodeLens {
  return new vscode.CodeLens(range, {
    ...command,
    title: withoutSecrets(title.line()),
    ...definedFields({ tooltip: withoutSecrets(tooltip?.line()) }),
  });
}
