import { t } from '../../core/safety/localize';
import { endSentence } from '../../core/safety/endSentence';
import type { RunOnSaveObstacle, RunOnSaveState } from '../../core/runs/runOnSaveQueue';
import { type Shown, shown } from '../../core/safety/shownText';

interface RunOnSavePresentation {
  readonly text: Shown;
  readonly spoken: Shown;
  readonly tooltip: Shown;
  readonly warning: boolean;
}

/**
 * @param isConfirmed whether the user agreed to it in this workspace
 * @param last the result of the last save of the active file; undefined when it was not saved in this window
 */
export function presentRunOnSave(
  isConfirmed: boolean,
  label: string | undefined,
  last: RunOnSaveState | undefined,
): RunOnSavePresentation {
  const { short, long, warning } =
    isConfirmed || last ? lastSaveWords(last, label ?? t`The file`) : toBeConfirmed;
  const state = isConfirmed
    ? shown`**Run on save** is on in this workspace.`
    : shown`**Run on save** is set for this workspace, but you haven't confirmed it.`;
  const name = shown`$(save) ${t`Run on Save`}`;
  return {
    text: short.isEmpty ? name : shown`${name}: ${short}`,
    spoken: shown`Run on save. ${long} Click to turn it off.`,
    tooltip: shown`${state}\n\n${long}\n\nClick to turn it off.`,
    warning,
  };
}

interface SaveWords {
  /** For the status bar; empty if there is nothing to show. */
  readonly short: Shown;
  readonly long: Shown;
  readonly warning: boolean;
}

const toBeConfirmed = quiet(shown``, shown`Save a workflow file to be asked.`);

function lastSaveWords(last: RunOnSaveState | undefined, label: string): SaveWords {
  switch (last?.kind) {
    case undefined:
      return quiet(shown``, shown`Workflow files run when you save them.`);
    case 'waiting':
      return quiet(shown`waiting`, shown`${label} will run when its current job finishes.`);
    case 'sending':
      return quiet(shown`sending`, shown`${label} is being sent to the server.`);
    case 'started':
      return quiet(shown``, shown`${label} ran when you last saved it.`);
    case 'notRun':
      return notRunWords(last.why, label);
  }
}

function notRunWords(why: RunOnSaveObstacle, label: string): SaveWords {
  const quietly = (reason: Shown): SaveWords => quiet(shown`not run`, shown`${label} wasn't run. ${reason}`);
  switch (why.kind) {
    case 'untrusted':
      return quietly(shown`Workflows run only in trusted workspaces.`);
    case 'off':
      return quietly(shown`Run on save is off for this file.`);
    case 'noAnswer':
      return quietly(shown`You haven't confirmed run on save in this workspace yet.`);
    case 'serverChanged':
      return quietly(shown`You selected another server after saving. Save again to run it there.`);
    case 'sameAsRun':
      return quiet(
        shown`no change`,
        shown`${label} wasn't run, because nothing that affects the result has changed. To repeat it, use Run Workflow.`,
      );
    case 'unclear':
      return loud(
        shown`not run`,
        shown`${label} wasn't run, because the same workflow was already submitted and may still be running. Check the Jobs view before you run it.`,
      );
    case 'needsAnswer':
      return loud(
        shown`not run`,
        shown`${label} wasn't run, because a run needs your approval. Use Run Workflow to give it.`,
      );
    case 'failed':
      return loud(
        shown`not run`,
        shown`${label} wasn't run. ${shown`${endSentence(why.problem)} ${why.nextAction ?? t`Save it again to retry.`}`}`,
      );
  }
}

function quiet(short: Shown, long: Shown): SaveWords {
  return { short, long, warning: false };
}

function loud(short: Shown, long: Shown): SaveWords {
  return { short, long, warning: true };
}
