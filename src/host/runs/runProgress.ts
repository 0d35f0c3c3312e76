import * as vscode from 'vscode';
import type { RunStage } from '../../core/runs/runWorkflow';

/**
 * Progress while a workflow is made ready and sent: quiet in the status bar, and for uploads, which can take long, a
 * notification that can be cancelled.
 */
export async function withRunProgress<T>(
  label: string,
  work: (stage: (stage: RunStage) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let uploads: UploadNotification | undefined;
  const options = { location: vscode.ProgressLocation.Window, title: `Comfy Deck: ${label}` };
  try {
    return await vscode.window.withProgress(options, (progress) =>
      work((stage) => {
        progress.report({ message: wordsFor(stage) });
        if (stage.kind === 'uploading') {
          uploads ??= new UploadNotification(label, () => abort.abort(new vscode.CancellationError()));
          uploads.report(wordsFor(stage), 100 / Math.max(1, stage.count));
        } else {
          uploads?.end();
          uploads = undefined;
        }
      }, abort.signal),
    );
  } finally {
    uploads?.end();
  }
}

class UploadNotification {
  #end: () => void = () => undefined;
  #progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;

  constructor(label: string, cancel: () => void) {
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: label, cancellable: true },
      (progress, token) => {
        this.#progress = progress;
        token.onCancellationRequested(cancel);
        return ended;
      },
    );
  }

  report(message: string, increment: number): void {
    this.#progress?.report({ message, increment });
  }

  end(): void {
    this.#end();
  }
}

function wordsFor(stage: RunStage): string {
  switch (stage.kind) {
    case 'checking':
      return 'checking the workflow';
    case 'uploading':
      return `uploading ${stage.name} (${stage.index} of ${stage.count})`;
    case 'connecting':
      return 'connecting';
    case 'submitting':
      return 'sending';
    case 'lookingForJob':
      return 'no answer came, looking for the job in the queue';
  }
}
