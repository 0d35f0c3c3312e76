import path from 'node:path';
import * as vscode from 'vscode';
import { textOfBytes } from '../../core/json/textOfBytes';
import { exactTime } from '../../core/safety/timeText';
import { type Shown, shown } from '../../core/safety/shownText';
import { t } from '../../core/safety/localize';
import { GitFailure } from '../../core/runs/runGit';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { isThereOrOpen } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { type ListRow, pickOne } from '../platform/show';
import { versionedName } from '../platform/versionedName';
import { uriName, readSource } from '../platform/workflowSource';
import { workflowInFile } from '../platform/readWorkflow';
import type { ComparedTexts } from './comparedTexts';
import { type Commit, listFileCommits, index, shortHash, readFileVersion } from './fileVersions';

/** One of two workflows that are compared. */
export interface ComparedSide {
  readonly label: string;
  /** Undefined where there is no such file: it was added or deleted. */
  readonly document: WorkflowDocument | undefined;
  uri(texts: ComparedTexts): vscode.Uri | undefined;
}

const mostFiles = 2_000;

const ownFiles = /\.(run|batch|batch-run)\.jsonc?$/i;

interface SideRow extends ListRow {
  /** Undefined when the user dismissed another list. */
  readonly read?: () => Promise<ComparedSide | undefined>;
  readonly isEarlier?: boolean;
}

/** The workflows in what runs leave: outputs and run records. */
export interface RunWorkflows {
  readonly isOfRun: (file: vscode.Uri) => boolean;
  readonly workflowOf: (
    file: vscode.Uri,
  ) => Promise<{ readonly label: string; readonly name: string; readonly text: string }>;
  /** The records of the jobs in the menu of the Jobs view, the earlier one first; undefined in other menus. */
  readonly recordsOf: (args: readonly unknown[]) => Promise<readonly vscode.Uri[] | undefined>;
  readonly pickRun: (file: vscode.Uri) => Promise<vscode.Uri | undefined>;
}

/** A file as it stands now, or the workflow of a run. @param maybeDeleted whether it need not exist */
export async function fileSide(
  uri: vscode.Uri,
  runs: RunWorkflows,
  maybeDeleted = false,
): Promise<ComparedSide> {
  if (runs.isOfRun(uri)) {
    const { label, name, text } = await runs.workflowOf(uri);
    return textSide(label, `${name}.json`, text, WorkflowDocument.of(text));
  }
  if (maybeDeleted && !(await isThereOrOpen(uri))) {
    return { label: t`${uriName(uri)} (deleted)`, document: undefined, uri: () => undefined };
  }
  const { workflow } = await readSource(uri);
  return { label: versionedName(uri), document: workflow, uri: () => uri };
}

/** Lets the user select what to compare a file with; the earlier of the two first. Undefined when dismissed. */
export async function pickSides(
  uri: vscode.Uri,
  runs: RunWorkflows,
): Promise<readonly [before: ComparedSide, after: ComparedSide] | undefined> {
  const [versions, files] = await Promise.all([
    runs.isOfRun(uri) ? [] : versionRows(uri),
    fileRows(uri, runs),
  ]);
  const run = {
    label: shown`$(history) ${t`Run…`}`,
    description: shown`what was submitted, from a run record`,
    read: async () => {
      const record = await runs.pickRun(uri);
      return record && fileSide(record, runs);
    },
    isEarlier: true,
  };
  const rows = [...section(shown`Git`, versions), ...section(shown`Workspace`, [run, ...files])];
  const picked = await pickOne(rows, {
    title: shown`Compare ${uriName(uri)} With…`,
    placeHolder: shown`Select a version or a file to compare with`,
    matchOnDescription: true,
  });
  if (!picked?.read) return undefined;
  const other = await picked.read();
  if (!other) return undefined;
  const file = await fileSide(uri, runs, picked.isEarlier);
  return picked.isEarlier === true ? [other, file] : [file, other];
}

function section(title: Shown, rows: readonly SideRow[]): SideRow[] {
  return rows.length === 0 ? [] : [{ label: title, isSeparator: true }, ...rows];
}

async function fileRows(uri: vscode.Uri, runs: RunWorkflows): Promise<SideRow[]> {
  const found = await vscode.workspace.findFiles('**/*.{json,jsonc}', '**/node_modules/**', mostFiles);
  return found
    .filter((each) => each.toString() !== uri.toString() && !ownFiles.test(each.path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((each) => {
      const folder = path.posix.dirname(vscode.workspace.asRelativePath(each));
      return {
        label: shown`$(file) ${uriName(each)}`,
        description: folder === '.' ? undefined : shown`${folder}`,
        read: () => fileSide(each, runs),
      };
    });
}

/** The index and the commits of a file; instead of them a row that says why there are none. */
async function versionRows(uri: vscode.Uri): Promise<SideRow[]> {
  if (uri.scheme !== 'file') return [];
  if (!vscode.workspace.isTrusted) {
    const row = {
      label: shown`$(workspace-untrusted) ${t`Commits`}`,
      description: shown`only in trusted workspaces`,
    };
    return [{ ...row, read: () => Promise.reject(needsTrust()) }];
  }
  const git = await gitProgram();
  let commits: readonly Commit[] | undefined;
  try {
    commits = await listFileCommits(uri.fsPath, git);
  } catch (error) {
    const problem = gitProblem(error);
    const row = { label: shown`$(warning) ${t`Commits`}`, description: problem.what };
    return [{ ...row, read: () => Promise.reject(problem) }];
  }
  if (!commits) return [];
  const row = (
    label: Shown,
    description: Shown,
    commit: Commit | typeof index,
    version: string,
  ): SideRow => ({
    label,
    description,
    read: () => versionSide(uri, commit, version, git),
    isEarlier: true,
  });
  return [
    row(shown`$(diff) ${t`Index`}`, shown`the staged version`, index, t`Index`),
    ...commits.map((commit) => {
      const short = shortHash(commit);
      const time = exactTime(commit.time);
      const name = nameThen(uri, commit);
      const place = name === uriName(uri) ? shown`${short}, ${time}` : shown`${short}, ${time}, ${name}`;
      return row(shown`$(git-commit) ${commit.subject}`, place, commit, short);
    }),
  ];
}

function nameThen(uri: vscode.Uri, commit: Commit | typeof index): string {
  const then = commit === index ? undefined : commit.path?.split('/').at(-1);
  return then ?? uriName(uri);
}

async function versionSide(
  uri: vscode.Uri,
  commit: Commit | typeof index,
  version: string,
  git: string,
): Promise<ComparedSide> {
  const bytes = await readFileVersion(uri.fsPath, commit, git).catch((error: unknown) => {
    throw gitProblem(error);
  });
  const name = nameThen(uri, commit);
  const label = `${name} (${version})`;
  if (!bytes) return { label, document: undefined, uri: () => undefined };
  // The shown text has its comments, unlike what is read.
  const shownAs = name.replace(/(\.jsonc?)?$/i, ` (${version})$1`);
  return textSide(
    label,
    shownAs,
    textOfBytes(bytes),
    workflowInFile(vscode.Uri.joinPath(uri, '..', name), bytes),
  );
}

/** A text that no editor holds. */
function textSide(label: string, shownAs: string, text: string, document: WorkflowDocument): ComparedSide {
  let shownAt: vscode.Uri | undefined;
  return { label, document, uri: (texts) => (shownAt = texts.show(shownAt, shownAs, text)) };
}

/** The program that VS Code's Git extension uses. */
async function gitProgram(): Promise<string> {
  interface GitExports {
    getAPI(version: 1): { readonly git: { readonly path: string } };
  }
  try {
    const extension = vscode.extensions.getExtension<GitExports>('vscode.git');
    return (await extension?.activate())?.getAPI(1).git.path ?? 'git';
  } catch {
    // VS Code's Git extension is turned off, or found no Git.
    return 'git';
  }
}

function needsTrust(): UserProblem {
  return new UserProblem(
    shown`Commits are available only in trusted workspaces, because a repository can make Git start programs.`,
    shown`Trust this workspace if you know where its files come from.`,
  );
}

function gitProblem(error: unknown): UserProblem {
  const cause = { cause: error };
  if (!(error instanceof GitFailure))
    return new UserProblem(shown`Git can't be used.`, shown`See the log for details.`, [], cause);
  switch (error.code) {
    case 'ENOENT':
      return new UserProblem(shown`Git isn't installed.`, shown`Install Git, or set git.path.`, [], cause);
    case 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER':
      return new UserProblem(
        shown`This version is too large for a workflow.`,
        shown`Select another version.`,
        [],
        cause,
      );
    case undefined:
      return new UserProblem(shown`${'Git'} didn't respond in time.`, shown`Try again later.`, [], cause);
    default:
      return new UserProblem(
        shown`Git can't read this file: ${error.words}`,
        shown`Check the repository, then try again.`,
        [],
        cause,
      );
  }
}
