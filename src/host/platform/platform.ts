import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { Secrets } from '../../core/safety/secrets';
import { InSight } from './inSight';
import { Log } from './log';
import { tellProblem } from './problems';
import { hideWhereShown } from './shownSecrets';
import { Storage } from './storage';
import { StorageTrouble } from './storageTrouble';

/** What every part of a window may use. */
export class Platform {
  /** Every key, token and signed address used in this window, hidden wherever it is quoted. */
  readonly secrets = new Secrets();
  readonly log = new Log(this.secrets);
  readonly sight = new InSight();
  readonly storage: Storage;
  readonly storageTrouble = new StorageTrouble(this.log);
  /** Windows with the same folder, or none, share what is stored for it: see `WriterFiles`. */
  readonly workspaceName = nameOfWorkspace();
  /** All windows share the thumbnails. */
  readonly thumbnailFolder: string;
  readonly extensionUri: vscode.Uri;
  readonly onError = (error: unknown): void => tellProblem(error, this.log);

  constructor(readonly context: vscode.ExtensionContext) {
    hideWhereShown(this.secrets);
    this.own(this.log);
    this.storage = new Storage(context.globalStorageUri, this.secrets);
    this.thumbnailFolder = path.join(context.globalStorageUri.fsPath, 'thumbnails');
    this.extensionUri = context.extensionUri;
  }

  /** Disposes a part with the window. */
  own<T extends vscode.Disposable>(part: T): T {
    this.context.subscriptions.push(part);
    return part;
  }
}

function nameOfWorkspace(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const identity = (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() ?? 'none';
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}
