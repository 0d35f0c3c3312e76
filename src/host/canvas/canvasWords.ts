import type { RefusedChange } from '../../core/canvas/canvasChange';
import { budgets } from '../../core/safety/budgets';
import { shown, type Shown, shownList } from '../../core/safety/shownText';
import { sizeText } from '../../core/safety/sizeText';
import type { CanvasAction, FromComfyPage } from '../../webview/contract/canvasPanel';

/** Sentences about one subject replace each other; the last one said is shown. */
export type WordsSubject = 'page' | 'server' | 'text' | 'other' | 'edit';

/** A sentence in the bar of a canvas, and what it offers. */
export interface CanvasWords {
  readonly words: Shown;
  readonly actions: readonly CanvasAction[];
}

export const actionLabels: Readonly<Record<CanvasAction, Shown>> = {
  showGraph: shown`Graph`,
  openText: shown`Open as Text`,
  load: shown`Try Again`,
  saveOther: shown`Save As…`,
  newWorkflow: shown`New Workflow…`,
};

export function unopenedWords(words: Shown): CanvasWords {
  return { words, actions: ['load', 'showGraph', 'openText'] };
}

export function unwrittenWords(words: Shown): CanvasWords {
  return { words, actions: ['openText'] };
}

type Failure = Extract<FromComfyPage, { readonly type: 'failed' }>['reason'] | 'late';

export function pageFailureWords(reason: Failure): CanvasWords {
  if (reason === 'late')
    return unopenedWords(shown`${'ComfyUI'} didn't respond within ${budgets.canvasStart / 1000} s.`);
  return unopenedWords(
    reason === 'old' || reason === 'lacks'
      ? shown`This ComfyUI page can't edit files. Version 1.27 or later is required.`
      : shown`ComfyUI couldn't load this workflow.`,
  );
}

export function refusalWords({ reason }: RefusedChange): CanvasWords {
  return unwrittenWords(
    reason === 'changedMeanwhile'
      ? shown`The workflow has changed, so the edit wasn't applied.`
      : shown`This edit can't be written without losing other parts of the file, so it was undone.`,
  );
}

export const notGraphWords = unwrittenWords(
  shown`This text isn't a workflow in graph or API format, so ComfyUI can't edit it.`,
);

export const unkeptWords: CanvasWords = {
  words: shown`API format doesn't contain positions, groups, notes, or muted nodes, so they aren't saved.`,
  actions: [],
};

export const otherWords: CanvasWords = {
  words: shown`ComfyUI shows another workflow. Its changes aren't written to this file.`,
  actions: ['saveOther'],
};

/** Said by the page itself. */
export const unboundWords = shown`This page is no longer connected to VS Code, so its changes can't be written to the file. Open the file in ComfyUI again.`;

/** ComfyUI would rename or delete it. */
export const keptWords: CanvasWords = { words: shown`Rename or delete the file in VS Code.`, actions: [] };

/** The page shows its list of stored workflows. */
export function storedElsewhereWords(name: string): CanvasWords {
  return { words: shown`Workflows saved on ${name} aren't listed here.`, actions: ['newWorkflow'] };
}

export function pageServerWords(name: string): CanvasWords {
  return { words: shown`This is the ComfyUI page of ${name}.`, actions: ['load'] };
}

/** @param length characters that are written */
export function adoptionQuestion(names: readonly string[], length: number): Shown {
  return shown`ComfyUI stores the subgraph ${shownList(names, 3)} differently, so this edit rewrites ${sizeText(length)} of the file.`;
}
