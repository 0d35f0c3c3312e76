import * as vscode from 'vscode';
import type { PreparedPartnerNode } from '../../core/runs/preparedRun';
import { plural } from '../../core/safety/localize';
import { shown, shownList } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { showWarning } from '../platform/show';
import { partnerName } from './consent';

/** At most this many nodes are named; others are counted. */
const namesShown = 3;

export interface RunOnSaveAnswers {
  /** Run what was last saved. */
  yes(file: string): void;
  /** Do not ask again about what was last saved. */
  no(file: string): void;
}

/**
 * What a save has to ask, as notifications that can be ignored: a save must not put a question with a button that
 * spends credits under the keys of someone typing. One per file and question, about the text that was last saved.
 */
export class RunOnSaveQuestions {
  readonly #answers: RunOnSaveAnswers;
  /** File -> what the open notification is about. */
  readonly #open = new Map<string, string>();
  /** File -> the nodes last agreed to. */
  readonly #agreed = new Map<string, string>();

  constructor(answers: RunOnSaveAnswers) {
    this.#answers = answers;
  }

  /** Whether the user agreed to these nodes. */
  isAnswered(file: string, nodes: readonly PreparedPartnerNode[]): boolean {
    return this.#agreed.get(file) === nodesKey(nodes);
  }

  askToSpend(file: string, label: string, nodes: readonly PreparedPartnerNode[]): void {
    const about = nodesKey(nodes);
    if (this.#open.get(file) === about) return;
    this.#open.set(file, about);
    const spend = { label: shown`Run and Spend Credits` };
    const names = shownList(nodes.map(partnerName), namesShown);
    void showWarning(
      plural(
        nodes.length,
        shown`${label} was saved. Run it? Each run spends credits on 1 paid partner node: ${names}.`,
        shown`${label} was saved. Run it? Each run spends credits on ${nodes.length} paid partner nodes: ${names}.`,
      ),
      spend,
      { label: shown`Not This Time` },
    ).then((answer) => {
      // Asked about other nodes since: that notification counts.
      if (!this.#close(file, about)) return;
      if (answer !== spend) {
        this.#answers.no(file);
        return;
      }
      this.#agreed.set(file, about);
      this.#answers.yes(file);
    });
  }

  offerUpload(file: string, label: string, files: number, serverName: string): void {
    const about = 'upload';
    if (this.#open.get(file) === about) return;
    this.#open.set(file, about);
    const run = { label: shown`Run…` };
    void showWarning(
      plural(
        files,
        shown`${label} was saved but not run. It uses 1 file that you haven't approved for upload to ${serverName}. Run it yourself to be asked.`,
        shown`${label} was saved but not run. It uses ${files} files that you haven't approved for upload to ${serverName}. Run it yourself to be asked.`,
      ),
      run,
      { label: shown`Not This Time` },
    ).then((answer) => {
      if (!this.#close(file, about)) return;
      if (answer === run) void vscode.commands.executeCommand(commands.run, vscode.Uri.parse(file));
      else this.#answers.no(file);
    });
  }

  #close(file: string, about: string): boolean {
    return this.#open.get(file) === about && this.#open.delete(file);
  }
}

function nodesKey(nodes: readonly PreparedPartnerNode[]): string {
  return JSON.stringify(nodes.map(({ nodeId, classType }) => `${nodeId} ${classType}`).sort());
}
