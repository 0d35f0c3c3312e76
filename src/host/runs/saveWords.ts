import type { SaveObstacle, SaveState } from '../../core/runs/saveQueue';
import { type Shown, shown, ShownLink } from '../../core/safety/shownText';
import { commands, type CommandId } from '../platform/contributions';

/** What the status item of run on save shows. */
export interface SavePresentation {
  readonly text: Shown;
  readonly spoken: Shown;
  /** Markdown. */
  readonly tooltip: Shown;
  readonly command: CommandId;
  readonly warning: boolean;
}

/** @param last what came of the last save of the file in front; undefined when it was not saved in this window */
export function presentSave(
  isPaused: boolean,
  label: string | undefined,
  last: SaveState | undefined,
): SavePresentation {
  const command = isPaused ? commands.resumeRunOnSave : commands.pauseRunOnSave;
  const { short, long, warning } = isPaused ? pausedWords : wordsOf(last, label);
  const about = last && !isPaused && label !== undefined ? shown`${label}: ${long}` : long;
  const icon = isPaused ? shown`$(debug-pause)` : shown`$(save)`;
  const link = isPaused
    ? new ShownLink(shown`Resume`, `command:${commands.resumeRunOnSave}`)
    : new ShownLink(shown`Pause`, `command:${commands.pauseRunOnSave}`);
  const off = new ShownLink(shown`Turn Off`, `command:${commands.turnOffRunOnSave}`);
  const click = isPaused ? shown`Click to resume.` : shown`Click to pause.`;
  return {
    text: short.isEmpty ? shown`${icon} Run on save` : shown`${icon} Run on save: ${short}`,
    spoken: shown`Run on save. ${about} ${click}`,
    tooltip: shown`**Run on save** is on in this workspace.\n\n${about}\n\n${click} ${link} · ${off}`,
    command,
    warning,
  };
}

interface Words {
  /** For the status bar; empty when nothing is to say. */
  readonly short: Shown;
  /** A sentence. */
  readonly long: Shown;
  readonly warning: boolean;
}

const pausedWords: Words = {
  short: shown`paused`,
  long: shown`Paused: saving runs nothing.`,
  warning: false,
};

function wordsOf(last: SaveState | undefined, label: string | undefined): Words {
  switch (last?.kind) {
    case undefined:
      return quiet(shown``, shown`Workflow files run when you save them.`);
    case 'waiting':
      return quiet(shown`waiting`, shown`Saved. It will run when this file's current job has ended.`);
    case 'sending':
      return quiet(shown`sending`, shown`Saved. Sending it to the server.`);
    case 'started':
      return quiet(shown``, shown`The last save ran.`);
    case 'notRun':
      return notRun(last.why, label);
  }
}

function notRun(why: SaveObstacle, label: string | undefined): Words {
  switch (why.kind) {
    case 'untrusted':
      return quiet(shown`not run`, shown`Not run: workflows run only in trusted workspaces.`);
    case 'off':
      return quiet(shown`not run`, shown`Not run: run on save is off for this file.`);
    case 'paused':
      return quiet(shown`not run`, shown`Not run: run on save was paused. Save again to run it.`);
    case 'noAnswer':
      return quiet(
        shown`not run`,
        shown`Not run: you have not yet chosen whether saving runs files in this workspace. Save again to be asked.`,
      );
    case 'serverChanged':
      return quiet(
        shown`not run`,
        shown`Not run: you selected another server after saving. Save again to run it there.`,
      );
    case 'sameAsRun':
      return quiet(
        shown`no change`,
        shown`Not run: the prompt is the same as in the last run. Run it yourself to repeat it.`,
      );
    case 'unclear':
      return loud(
        shown`not run`,
        shown`Not run: the same prompt was sent before and may be running on the server. Check the Jobs view before you run it yourself.`,
      );
    case 'saidNo':
      return quiet(
        shown`not run`,
        shown`Not run: you declined to run this prompt. Run it yourself if you want it now.`,
      );
    case 'asked':
      return quiet(shown`waiting for you`, shown`Not run yet: answer the notification first.`);
    case 'failed':
      return loud(shown`not run`, shown`Not run: ${withoutName(why.words, label)} Save again to try again.`);
  }
}

/** The file is named before all of it. */
function withoutName(words: string, label = ''): string {
  return words.startsWith(`${label}: `) ? words.slice(label.length + 2) : words;
}

function quiet(short: Shown, long: Shown): Words {
  return { short, long, warning: false };
}

function loud(short: Shown, long: Shown): Words {
  return { short, long, warning: true };
}
