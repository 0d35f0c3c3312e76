import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { exactTime } from '../../core/safety/timeText';
import { Shown, shown } from '../../core/safety/shownText';
import { registerCommand } from '../platform/commandRegistry';
import { commands } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { ask } from '../platform/show';
import { treeItem } from '../platform/showItems';
import type { OwedEntry } from './owedEntry';
import type { OwedRuns } from './owedRuns';
import type { OwedWork } from './owedWork';

/** After a window starts, ms: more urgent work goes first. */
const startAfter = 500;

export interface OwedFeatureParts {
  readonly owed: OwedRuns;
  readonly work: OwedWork;
  readonly log: Log;
}

/** Owed runs, checked from the start of the window, and the commands of their rows. */
export class OwedFeature implements Feature {
  readonly #parts: OwedFeatureParts;

  constructor(parts: OwedFeatureParts) {
    this.#parts = parts;
  }

  register(context: vscode.ExtensionContext): void {
    const { log, work, owed } = this.#parts;
    // Not during activation: this reads the storage.
    const timer = setTimeout(() => work.start(), startAfter);
    context.subscriptions.push(
      { dispose: () => clearTimeout(timer) },
      registerCommand(log, commands.saveOwed, async (row) => {
        const entry = this.#entryOf(row);
        if (entry) await work.save(entry);
      }),
      registerCommand(log, commands.forgetOwed, async (row) => {
        const entry = this.#entryOf(row);
        if (entry && (await mayForget(entry))) await owed.giveUp(entry, 'Forgotten on request.');
      }),
      registerCommand(log, commands.dismissOwed, async (row) => {
        const entry = this.#entryOf(row);
        if (entry?.trouble?.kind === 'outputsUnknown') await owed.done(entry);
      }),
    );
  }

  #entryOf(row: unknown): OwedEntry | undefined {
    if (typeof row === 'string') return this.#parts.owed.list.get(row);
    if (typeof row !== 'object' || row === null || !('entryId' in row)) return undefined;
    return this.#parts.owed.list.get(String(row.entryId));
  }
}

async function mayForget({ origin, serverName }: OwedEntry): Promise<boolean> {
  const forget = { label: shown`Stop Trying` };
  const answer = await ask(
    {
      message: shown`Stop trying to save the outputs of ${origin.label}?`,
      detail: shown`Comfy Deck will stop trying to save them. Anything still on ${serverName} stays there.`,
    },
    forget,
  );
  return answer === forget;
}

/** The entries shown in the Jobs view: those that failed. The others have their job's row. */
export function shownOwed(owed: OwedRuns): readonly OwedEntry[] {
  return owed.list.entries().filter((entry) => entry.trouble !== undefined);
}

export function owedItem(entry: OwedEntry): vscode.TreeItem {
  const { origin, serverName, trouble, jobId, sentAt, asked } = entry;
  const words = trouble?.words ?? '';
  const isUnknown = trouble?.kind === 'outputsUnknown';
  const state = isUnknown ? t`outputs unknown` : t`outputs not saved yet`;
  const at = exactTime(sentAt);
  const since = asked ? shown`Requested ${at} from ${serverName}` : shown`Submitted ${at} to ${serverName}`;
  const item = treeItem({
    label: shown`${origin.label}`,
    // Under the heading of the others, its state tells more than the start of a long sentence.
    description: isUnknown ? shown`${state}` : shown`${words}`,
    spoken: shown`${origin.label}, ${state}: ${words}`,
    tooltip: Shown.join(
      [
        shown`${origin.label}: ${state}`,
        words,
        since,
        jobId === undefined ? shown`No job ID yet` : shown`Job ${jobId}`,
      ],
      shown`\n`,
    ),
  });
  item.iconPath = isUnknown
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon('cloud-download', new vscode.ThemeColor('testing.iconQueued'));
  item.contextValue = isUnknown ? 'outputsUnknown' : 'owed';
  return item;
}
