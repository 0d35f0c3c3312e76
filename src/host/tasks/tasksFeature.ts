import * as vscode from 'vscode';
import { budgets } from '../../core/safety/budgets';
import { plainText } from '../../core/safety/plainText';
import { shown } from '../../core/safety/shownText';
import { batchEnding } from '../../core/batch/batchEndings';
import type { LanguageFeature } from '../language/languageFeature';
import type { Feature } from '../platform/feature';
import { UserProblem } from '../platform/problems';
import { isWorkflowDocument, uriName } from '../platform/workflowSource';
import type { BatchList } from '../batch/batchList';
import type { Runs } from '../runs/runs';
import { TaskTerminal, type TaskOutput } from './taskTerminal';
import { isTaskPattern, readTask, taskType, type WorkflowTask } from './workflowTask';

/** Tasks that run and validate workflow files: offered for the open ones, written in tasks.json for any. */
export class TasksFeature implements Feature, vscode.TaskProvider {
  constructor(
    private readonly runs: Runs,
    private readonly batches: BatchList,
    private readonly language: LanguageFeature,
  ) {}

  register(context: vscode.ExtensionContext): void {
    context.subscriptions.push(vscode.tasks.registerTaskProvider(taskType, this));
  }

  provideTasks(): vscode.Task[] {
    const open = vscode.workspace.textDocuments.filter(
      (document) =>
        document.uri.scheme === 'file' && (isBatchFile(document.uri) || isWorkflowDocument(document)),
    );
    return open.flatMap(({ uri }) => {
      const folder = vscode.workspace.getWorkspaceFolder(uri);
      if (!folder) return [];
      const file = vscode.workspace.asRelativePath(uri, false);
      const offered = isBatchFile(uri) ? (['batch'] as const) : (['run', 'validate'] as const);
      return offered.map((command) =>
        this.#task({ type: taskType, command, file }, { command, file, seeds: 'keep' }, folder, uriName(uri)),
      );
    });
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const read = readTask(task.definition);
    if (!read) return undefined;
    const scope = typeof task.scope === 'object' ? task.scope : undefined;
    return this.#task(task.definition, read, scope, read.file);
  }

  #task(
    definition: vscode.TaskDefinition,
    { command }: WorkflowTask,
    folder: vscode.WorkspaceFolder | undefined,
    name: string,
  ): vscode.Task {
    const execution = new vscode.CustomExecution((resolved) => {
      const task = readTask(resolved);
      return Promise.resolve(new TaskTerminal((output) => this.#work(task, folder, output)));
    });
    const scope = folder ?? vscode.TaskScope.Workspace;
    const title = `${command} ${plainText(name)}`;
    return new vscode.Task(definition, scope, title, taskType, execution, '$comfyDeck');
  }

  async #work(
    task: WorkflowTask | undefined,
    folder: vscode.WorkspaceFolder | undefined,
    output: TaskOutput,
  ): Promise<number> {
    const files = task ? await filesOfTask(task.file, folder) : [];
    if (!task || files.length === 0) {
      throw new UserProblem(
        shown`No file matches ${task?.file ?? ''}.`,
        shown`Change the task's "file" in tasks.json.`,
      );
    }
    await this.runs.windowRuns.ready();
    if (task.command === 'batch') return (await import('./batchTask')).batchTask(files, this.batches, output);
    const { runTask, validateTask } = await import('./runTask');
    return task.command === 'run'
      ? runTask(files, task, this.runs, output)
      : validateTask(files, this.language, output);
  }
}

function isBatchFile({ path }: vscode.Uri): boolean {
  return path.endsWith(batchEnding);
}

async function filesOfTask(
  file: string,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<readonly vscode.Uri[]> {
  const base = folder ?? vscode.workspace.workspaceFolders?.[0];
  if (isTaskPattern(file)) {
    if (!base) return [];
    const pattern = new vscode.RelativePattern(base, file);
    const found = await vscode.workspace.findFiles(pattern, undefined, budgets.taskFiles);
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(file);
  if (!isAbsolute && !base) return [];
  return [isAbsolute || !base ? vscode.Uri.file(file) : vscode.Uri.joinPath(base.uri, file)];
}
