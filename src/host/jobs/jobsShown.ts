import * as vscode from 'vscode';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { TreeChoice } from './treeGroups';

const allKey = 'jobs.showsAll';
const workflowKey = 'jobs.byWorkflow';

/** Which jobs the view shows and how it groups them; stored per workspace. */
export class JobsShown implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(workspaceState: vscode.Memento) {
    this.#memory = workspaceState;
  }

  get choice(): TreeChoice {
    return {
      all: this.#memory.get(allKey) === true,
      by: this.#memory.get(workflowKey) === true ? 'workflow' : 'day',
    };
  }

  /** Menus offer the other option. */
  tellMenus(): void {
    const { all, by } = this.choice;
    setContext(contextKeys.showsAllJobs, all);
    setContext(contextKeys.groupsByWorkflow, by === 'workflow');
  }

  showAll(all: boolean): Promise<void> {
    return this.#set(allKey, all);
  }

  groupBy(by: TreeChoice['by']): Promise<void> {
    return this.#set(workflowKey, by === 'workflow');
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #set(key: string, value: boolean): Promise<void> {
    await this.#memory.update(key, value);
    this.tellMenus();
    this.#changed.fire();
  }
}
