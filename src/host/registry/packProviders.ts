import * as vscode from 'vscode';
import { packFix } from '../../core/registry/packFix';
import { packHover } from './packHover';
import type { PackFix } from '../../core/registry/packFix';
import type { PackAnswer } from '../../core/registry/packAnswer';
import { abortedWithin } from '../../core/client/timing';
import { ServerError } from '../../core/protocol/serverError';
import { Shown, shown, ShownLink } from '../../core/safety/shownText';
import { plainText } from '../../core/safety/plainText';
import { commands } from '../platform/contributions';
import { isCancellation } from '../platform/problems';
import { commandLink, packLinks } from './packCommands';
import type { Registries, Registry } from './registries';
import { isUnknownClass, type UnknownClassAt, type UnknownClasses } from './unknownClasses';
import { markdownWithCommands } from '../platform/showItems';

/** How long a hover waits for the registry (ms); the answer is there for the next one. */
const patience = 8_000;

/** What to do about a ComfyUI node type that a server lacks. */
export const coreAdvice = shown`This server is too old or doesn't include it. Update the server, or select another one.`;

/** The pack of an unknown node type as a hover; undefined if the type is known or there is no registry. */
export async function hoverPack(
  parts: { readonly unknownClasses: UnknownClasses; readonly registries: Registries },
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const unknown = await parts.unknownClasses.at(document, position);
  const registry = unknown && (await parts.registries.quiet());
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

function answerMarkdown(answer: PackAnswer, { classType }: UnknownClassAt, registry: Registry): Shown {
  if (answer.kind === 'found') {
    return packHover(answer.card, packLinks(answer.card, registry.baseUrl), answer.how);
  }
  if (answer.kind === 'core') {
    const select = new ShownLink(shown`Select Server`, `command:${commands.selectServer}`);
    return shown`Part of ComfyUI itself, not of a node pack. ${coreAdvice} ${select}`;
  }
  const search = new ShownLink(shown`Search…`, commandLink(commands.findPack, classType));
  return shown`No pack in the node registry provides this node type. ${search}`;
}

function hover({ range }: UnknownClassAt, text: Shown): vscode.Hover {
  return new vscode.Hover(markdownWithCommands(text), range);
}

/** The quick fix for an unknown node type. It sends no request: the menu opens at once. */
export async function packActions(
  parts: { readonly unknownClasses: UnknownClasses; readonly registries: Registries },
  document: vscode.TextDocument,
  range: vscode.Range,
  { diagnostics }: vscode.CodeActionContext,
): Promise<vscode.CodeAction[]> {
  const unknown = await parts.unknownClasses.at(document, range.start);
  const registry = unknown && (await parts.registries.quiet());
  if (!registry) return [];
  const fix = packFix(unknown.classType, registry.lookup.known(unknown), unknown.pack);
  if (!fix) return [];
  const action = new vscode.CodeAction(plainText(fix.title), vscode.CodeActionKind.QuickFix);
  action.command = commandOf(fix);
  action.diagnostics = diagnostics.filter(isUnknownClass);
  return [action];
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
