import * as vscode from 'vscode';
import { plural } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import type { GraphProblem } from '../../core/workflow/graph/graphProblem';
import { commands } from '../platform/contributions';
import { ask, showWarning } from '../platform/show';

type Losses = readonly Pick<GraphProblem, 'message'>[];

const namesShown = 8;
const namesTold = 2;

/** Asks before a prompt is written that loses parts of its graph. */
export async function mayLose(name: string, losses: Losses, goOn: Shown): Promise<boolean> {
  if (losses.length === 0) return true;
  const message = Shown.join([loss(name, losses), shown`Continue anyway?`]);
  const detail = Shown.join(
    listed(losses, namesShown).map((each) => shown`• ${each}`),
    shown`\n`,
  );
  return (await ask({ message, detail }, { label: goOn })) !== undefined;
}

export function tellLosses(name: string, losses: Losses): void {
  if (losses.length === 0) return;
  const which = Shown.join(listed(losses, namesTold), shown` `);
  const select = { label: shown`Select Server`, command: commands.selectServer };
  const message = Shown.join([loss(name, losses), which]);
  void showWarning(message, select).then((chosen) => {
    if (chosen) void vscode.commands.executeCommand(chosen.command);
  });
}

function loss(name: string, { length }: Losses): Shown {
  return plural(
    length,
    shown`Converting ${name} to API format loses values or links of 1 node.`,
    shown`Converting ${name} to API format loses values or links of ${length} nodes.`,
  );
}

function listed(losses: Losses, most: number): Shown[] {
  const rest = losses.length - most;
  const named = losses.slice(0, most).map(({ message }) => shown`${message}`);
  return rest > 0 ? [...named, shown`And ${rest} more.`] : named;
}
