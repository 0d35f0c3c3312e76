import * as vscode from 'vscode';
import { nodeTypesText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';
import { dayText, timeOfDay } from '../../core/safety/timeText';
import { shown } from '../../core/safety/shownText';
import type { DefinitionsState, NodeDefinitions } from '../catalogs/definitionSource';
import { commands } from '../platform/contributions';
import { Owner } from '../platform/feature';
import type { WorkflowDocuments } from './workflowDocuments';
import { setLanguageStatusWords } from '../platform/showItems';

const refresh = () => ({ title: t`Refresh`, command: commands.refreshDefinitions });
const selectServer = () => ({ title: t`Select Server`, command: commands.selectServer });

export class DefinitionsStatus extends Owner {
  readonly #item = vscode.languages.createLanguageStatusItem('comfy-deck-definitions', []);
  readonly #server = vscode.languages.createLanguageStatusItem('comfy-deck-server', []);

  constructor(
    private readonly definitions: NodeDefinitions,
    private readonly documents: WorkflowDocuments,
  ) {
    super();
    this.#item.name = t`Comfy Deck: Node Definitions`;
    this.#server.name = t`Comfy Deck: ${t`Server`}`;
    this.own(
      this.#item,
      this.#server,
      definitions.onDidChange(() => this.#show()),
      documents.onDidChangeSet(() => this.#show()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#show()),
    );
    this.#show();
  }

  #show(): void {
    const filters = this.documents.filters();
    const { state } = this.definitions;
    const { text, detail, command, isFull } = presentDefinitions(state);
    const severity = isFull
      ? vscode.LanguageStatusSeverity.Information
      : vscode.LanguageStatusSeverity.Warning;
    this.#item.selector = filters;
    setLanguageStatusWords(this.#item, { text, detail });
    this.#item.command = command;
    this.#item.busy = state.reading;
    this.#item.severity = severity;
    this.#server.selector = filters;
    setLanguageStatusWords(this.#server, {
      text: shown`${state.server?.name ?? t`No server`}`,
      detail: shown`where workflows run`,
    });
    this.#server.command = selectServer();
  }
}

/** The text of the item; it never claims that something was checked that wasn't. */
export function presentDefinitions(state: DefinitionsState, now = new Date()) {
  const { server, known, reading, problem } = state;
  const size = known?.rules.catalog?.size;
  if (size !== undefined) {
    const nodes = nodeTypesText(size);
    const age = known?.readAt === undefined ? t`built in` : ageOf(known.readAt, now);
    const from = server?.name ?? t`the server`;
    return {
      text: shown`${nodes}`,
      detail:
        problem === undefined
          ? shown`from ${from}, ${age}`
          : shown`from ${from}, ${age} (couldn't refresh: ${problem})`,
      command: refresh(),
      isFull: true,
    };
  }
  const text = shown`Structure only`;
  if (!server) {
    return { text, detail: shown`no server is selected`, command: selectServer(), isFull: false };
  }
  if (reading) return { text, detail: shown`asking ${server.name}`, command: refresh(), isFull: false };
  const why = problem === undefined ? shown`${server.name} hasn't been checked yet` : shown`${problem}`;
  return { text, detail: why, command: refresh(), isFull: false };
}

/** This text stays true without updates. */
function ageOf(readAt: number, now: Date): string {
  const then = new Date(readAt);
  const time = timeOfDay(readAt);
  return then.toDateString() === now.toDateString()
    ? t`read at ${time}`
    : t`read on ${dayText(readAt)} at ${time}`;
}
