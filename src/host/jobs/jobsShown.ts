import * as vscode from 'vscode';
import { registerCommand } from '../platform/commandRegistry';
import { commands, contextKeys } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import { setContext } from '../platform/contextKeys';
import type { TreeChoice } from './treeGroups';

const allKey = 'jobs.showsAll';
const workflowKey = 'jobs.byWorkflow';

/** The jobs that the view shows, and their grouping; stored per workspace. */
export class JobsShown implements Feature, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(private readonly platform: Platform) {}

  register({ subscriptions }: vscode.ExtensionContext): void {
    subscriptions.push(
      registerCommand(this.platform.log, commands.showAllJobs, () => this.#set(allKey, true)),
      registerCommand(this.platform.log, commands.showMyJobs, () => this.#set(allKey, false)),
      registerCommand(this.platform.log, commands.groupByDay, () => this.#set(workflowKey, false)),
      registerCommand(this.platform.log, commands.groupByWorkflow, () => this.#set(workflowKey, true)),
    );
    setTimeout(() => this.tellMenus(), 0);
  }

  get choice(): TreeChoice {
    return {
      all: this.platform.context.workspaceState.get(allKey) === true,
      by: this.platform.context.workspaceState.get(workflowKey) === true ? 'workflow' : 'day',
    };
  }

  tellMenus(): void {
    const { all, by } = this.choice;
    setContext(contextKeys.showsAllJobs, all);
    setContext(contextKeys.groupsByWorkflow, by === 'workflow');
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #set(key: string, value: boolean): Promise<void> {
    await this.platform.context.workspaceState.update(key, value);
    this.tellMenus();
    this.#changed.fire();
  }
}
