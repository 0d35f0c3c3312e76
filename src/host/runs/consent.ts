import type * as vscode from 'vscode';
import { ask } from '../platform/show';
import type { PreparedPartnerNode } from '../../core/runs/preparedRun';
import type { UploadQuestion } from '../../core/runs/localMedia';
import { plural } from '../../core/safety/localize';
import { shown, shownLines, type Shown } from '../../core/safety/shownText';

/** Most names that a question spells out. */
const namesShown = 8;
/** Files are all named; more than this take several questions. */
const filesPerQuestion = 20;
/** Files that a workspace remembers a yes for, per server: the oldest are asked about again. */
const filesRemembered = 1_000;

/** The questions that a run asks before something leaves the machine or costs; answers are kept per workspace. */
export class Consent {
  readonly #memory: vscode.Memento;

  constructor(workspaceState: vscode.Memento) {
    this.#memory = workspaceState;
  }

  /**
   * A yes counts for these files and this server, whatever the files hold later. A file that was not named in a question
   * is asked about, and so is one that has become hidden or ignored since.
   */
  async upload(files: readonly UploadQuestion[], serverName: string, origin: string): Promise<boolean> {
    const key = uploadsKey(origin);
    const known = this.#memory.get<readonly string[]>(key, []);
    const asked = files.filter((file) => !known.includes(fileKey(file)));
    const { askUpload } = await import('./uploadQuestion');
    for (let start = 0; start < asked.length; start += filesPerQuestion) {
      const page = asked.slice(start, start + filesPerQuestion);
      if (!(await askUpload(page, start, asked.length, serverName, origin))) return false;
    }
    if (asked.length > 0) {
      await this.#memory.update(key, [...known, ...asked.map(fileKey)].slice(-filesRemembered));
    }
    return true;
  }

  /** Asked before each run: every one of them costs. */
  async spend(nodes: readonly PreparedPartnerNode[]): Promise<boolean> {
    const names = shownLines(nodes.map(partnerName), namesShown);
    const answer = await ask(
      {
        message: plural(
          nodes.length,
          shown`Run 1 paid partner node?`,
          shown`Run ${nodes.length} paid partner nodes?`,
        ),
        detail: shown`Each run spends credits from your account on:\n${names}`,
      },
      { label: shown`Run and Spend` },
    );
    return answer !== undefined;
  }

  /** Whether files were all agreed to, or would be asked about. */
  isUploadKnown(files: readonly UploadQuestion[], origin: string): boolean {
    const known = this.#memory.get<readonly string[]>(uploadsKey(origin), []);
    return files.every((file) => known.includes(fileKey(file)));
  }
}

function uploadsKey(origin: string): string {
  return `uploads.files:${origin}`;
}

/** Not the content: a picture that was painted on is still the picture that was asked about. */
function fileKey({ place, kinds, marks }: UploadQuestion): string {
  return JSON.stringify([place, [...kinds].sort(), [...marks].sort()]);
}

export function partnerName({ title, classType }: PreparedPartnerNode): Shown {
  return title === classType ? shown`${title}` : shown`${title} (${classType})`;
}
