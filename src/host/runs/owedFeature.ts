import type * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { registerCommand } from '../platform/commandRegistry';
import { commands } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { ask } from '../platform/show';
import type { RunPointer } from '../pointers/runPointer';
import type { OwedRuns } from '../pointers/owedRuns';
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
        if (entry && (await mayForget(entry))) await owed.giveUp(entry, 'givenUp');
      }),
      registerCommand(log, commands.dismissOwed, async (row) => {
        const entry = this.#entryOf(row);
        if (entry?.trouble?.kind === 'outputsUnknown') await owed.done(entry);
      }),
    );
  }

  #entryOf(row: unknown): RunPointer | undefined {
    if (typeof row === 'string') return this.#parts.owed.list.owedOf(row);
    if (typeof row !== 'object' || row === null || !('entryId' in row)) return undefined;
    return this.#parts.owed.list.owedOf(String(row.entryId));
  }
}

async function mayForget({ label, serverName }: RunPointer): Promise<boolean> {
  const forget = { label: shown`Stop Trying` };
  const answer = await ask(
    {
      message: shown`Stop trying to save the outputs of ${label}?`,
      detail: shown`Comfy Deck will stop trying to save them. Anything still on ${serverName} stays there.`,
    },
    forget,
  );
  return answer === forget;
}
