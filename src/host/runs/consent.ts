import type * as vscode from 'vscode';
import { askToGoOn } from '../platform/show';
import type { PreparedPartnerNode } from '../../core/runs/prepareRun';
import type { UploadQuestion } from '../../core/runs/localFile';
import { endSentence } from '../../core/safety/endSentence';
import { shown, shownLines, type Shown } from '../../core/safety/shownText';

const namesShown = 8;
/** All files are listed, this many in a question. */
const filesPerQuestion = 20;
const filesRemembered = 1_000;

/** The questions before something leaves the machine or costs credits; answers are stored per workspace. */
export class Consent {
  readonly #acceptedLosses = new Map<string, string>();

  constructor(private readonly workspaceState: vscode.Memento) {}

  /** Consent applies to these files and this server, whatever the files contain later. */
  async upload(files: readonly UploadQuestion[], serverName: string, origin: string): Promise<boolean> {
    const key = uploadsKey(origin);
    const known = this.workspaceState.get<readonly string[]>(key, []);
    const asked = files.filter((file) => !known.includes(fileKey(file)));
    const { askUpload } = await import('./uploadQuestion');
    for (let start = 0; start < asked.length; start += filesPerQuestion) {
      const page = asked.slice(start, start + filesPerQuestion);
      if (!(await askUpload(page, start, asked.length, serverName, origin))) return false;
    }
    if (asked.length > 0) {
      await this.workspaceState.update(key, [...known, ...asked.map(fileKey)].slice(-filesRemembered));
    }
    return true;
  }

  acceptLoss(uri: vscode.Uri, text: string): void {
    this.#acceptedLosses.set(uri.toString(), text);
  }

  hasAcceptedLoss(uri: vscode.Uri, text: string): boolean {
    return this.#acceptedLosses.get(uri.toString()) === text;
  }

  /** Asks before each run, or once for those that the user starts together. */
  spend(nodes: readonly PreparedPartnerNode[], runs = 1): Promise<boolean> {
    const message =
      runs > 1 ? shown`Run up to ${runs} workflows with paid partner nodes?` : shown`Run paid partner nodes?`;
    return askToSpend(message, nodes.map(partnerName));
  }

  /** Asks before a run whose outputs could not be found: see `RunCallbacks.mayRunUnheard`. */
  runUnheard(serverName: string, reason: string): Promise<boolean> {
    return askToGoOn({
      message: shown`Run even though the outputs can't be found afterward?`,
      detail: shown`${serverName} reports outputs only over its WebSocket, which can't be opened. ${endSentence(reason)}

The run may still cost credits.`,
      goOn: shown`Run Anyway`,
    });
  }

  /** Whether all files were agreed to, or would be asked about. */
  isUploadKnown(files: readonly UploadQuestion[], origin: string): boolean {
    const known = this.workspaceState.get<readonly string[]>(uploadsKey(origin), []);
    return files.every((file) => known.includes(fileKey(file)));
  }
}

/** @param partners the nodes that are paid for */
export function askToSpend(message: Shown, partners: readonly Shown[]): Promise<boolean> {
  const names = shownLines(partners, namesShown);
  const detail = shown`Each run spends credits from your account on:\n${names}`;
  return askToGoOn({ message, detail, goOn: shown`Run and Spend Credits` });
}

function uploadsKey(origin: string): string {
  return `uploads.files:${origin}`;
}

function fileKey({ place, kinds, marks }: UploadQuestion): string {
  return JSON.stringify([place, [...kinds].sort(), [...marks].sort()]);
}

function partnerName({ title, classType }: PreparedPartnerNode): Shown {
  return title === classType ? shown`${title}` : shown`${title} (${classType})`;
}
