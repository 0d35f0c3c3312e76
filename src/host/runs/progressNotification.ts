import * as vscode from 'vscode';
import type { RunStage } from '../../core/runLife/runStage';
import { shown, type Shown } from '../../core/safety/shownText';
import { showCancellable, showProgress, type ShownProgress } from '../platform/show';

/** Shows progress in the status bar, and in a cancellable notification for what may take long. */
export async function withRunProgress<T>(
  label: string,
  work: (stage: (stage: RunStage) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let kind: RunStage['kind'] | undefined;
  let notification: ShownProgress | undefined;
  let endLong = (): void => undefined;
  const beginLong = (): void => {
    const ended = new Promise<void>((resolve) => (endLong = resolve));
    void showCancellable(shown`${label}`, (signal, progress) => {
      notification = progress;
      signal.addEventListener('abort', () => abort.abort(signal.reason));
      return ended;
    });
  };
  const options = { location: vscode.ProgressLocation.Window, title: shown`Comfy Deck: ${label}` };
  try {
    return await showProgress(options, (progress) =>
      work((stage) => {
        const message = stageWords(stage);
        progress.report({ message });
        if (kind !== stage.kind) {
          endLong();
          notification = undefined;
          kind = stage.kind;
          if (['uploading', 'waiting', 'lookingForJob'].includes(kind)) beginLong();
        }
        notification?.report({ message, increment: progressIncrement(stage) });
      }, abort.signal),
    );
  } finally {
    endLong();
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
