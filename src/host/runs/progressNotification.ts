import * as vscode from 'vscode';
import type { RunStage } from '../../core/runLife/runStage';
import { shown, type Shown } from '../../core/safety/shownText';
import { showProgress, type ShownProgress } from '../platform/show';

/** Shows progress in the status bar, and in a cancellable notification for what may take long. */
export async function withRunProgress<T>(
  label: string,
  work: (stage: (stage: RunStage) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let long: LongStage | undefined;
  const options = { location: vscode.ProgressLocation.Window, title: shown`Comfy Deck: ${label}` };
  try {
    return await showProgress(options, (progress) =>
      work((stage) => {
        const words = stageWords(stage);
        progress.report({ message: words });
        if (long?.kind !== stage.kind) {
          long?.end();
          const cancel = (): void => abort.abort(new vscode.CancellationError());
          long = isLong(stage) ? new LongStage(stage.kind, label, cancel) : undefined;
        }
        long?.report(words, progressIncrement(stage));
      }, abort.signal),
    );
  } finally {
    long?.end();
  }
}

function isLong({ kind }: RunStage): boolean {
  return kind === 'uploading' || kind === 'waiting' || kind === 'lookingForJob';
}

class LongStage {
  #end: () => void = () => undefined;
  #progress: ShownProgress | undefined;

  constructor(
    readonly kind: RunStage['kind'],
    label: string,
    cancel: () => void,
  ) {
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    void showProgress(
      { location: vscode.ProgressLocation.Notification, title: shown`${label}`, cancellable: true },
      (progress, token) => {
        this.#progress = progress;
        token.onCancellationRequested(cancel);
        return ended;
      },
    );
  }

  report(message: Shown, increment: number | undefined): void {
    this.#progress?.report({ message, increment });
  }

  end(): void {
    this.#end();
  }
}

/** Percent that this report adds; undefined for open-ended steps. */
function progressIncrement(stage: RunStage): number | undefined {
  if (stage.kind === 'uploading') return 100 / Math.max(1, stage.count);
  return stage.kind === 'waiting' ? 100 / stage.of : undefined;
}

function stageWords(stage: RunStage): Shown {
  switch (stage.kind) {
    case 'checking':
      return shown`checking the workflow`;
    case 'uploading':
      return shown`uploading ${stage.name} (${stage.index} of ${stage.count})`;
    case 'connecting':
      return shown`connecting`;
    case 'watchingLock':
      return shown`waiting to see whether another window or command is still working on this`;
    case 'submitting':
      return shown`sending`;
    case 'waiting':
      return shown`rate limited, retrying in ${stage.seconds} s`;
    case 'lookingForJob':
      return stage.seconds === undefined
        ? shown`response lost, looking for the job on the server`
        : shown`not found yet, checking again in ${stage.seconds} s`;
  }
}
