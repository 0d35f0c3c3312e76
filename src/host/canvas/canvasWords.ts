import { shown, type Shown, shownList } from '../../core/safety/shownText';
import { sizeText } from '../../core/safety/sizeText';
import type { RefusedChange } from '../../core/canvas/canvasChange';
import type { CanvasAction, FromComfyPage } from '../../webview/contract/canvas';

/** Sentences about one subject replace each other; the last one said is shown. */
export type WordsSubject = 'page' | 'server' | 'text' | 'other' | 'edit';

/** A sentence in the bar of a canvas, and what it offers. */
export interface CanvasWords {
  readonly words: Shown;
  readonly actions: readonly CanvasAction[];
}

export const actionLabels: Readonly<Record<CanvasAction, Shown>> = {
  showGraph: shown`Show Graph`,
  openText: shown`Open Text`,
  load: shown`Load Again`,
  saveOther: shown`Save As File…`,
};

type Failure = Extract<FromComfyPage, { readonly type: 'failed' }>['reason'] | 'late';

const failures: Readonly<Record<Failure, Shown>> = {
  old: shown`The ComfyUI page of this server is older than version 1.27, so it can't edit files.`,
  lacks: shown`The ComfyUI page of this server lacks what is needed to edit files.`,
  unsettled: shown`The ComfyUI page keeps changing the workflow by itself, so it can't edit the file.`,
  notLoaded: shown`The ComfyUI page couldn't load this workflow.`,
  late: shown`The ComfyUI page didn't show the workflow within 30 seconds.`,
};

export function failureWords(reason: Failure): CanvasWords {
  return unopenedWords(failures[reason]);
}

export function refusalWords({ reason, id }: RefusedChange): CanvasWords {
  return { words: refusalSentence(reason, id), actions: ['openText'] };
}

function refusalSentence(reason: RefusedChange['reason'], id: string | undefined): Shown {
  switch (reason) {
    case 'unknownType':
      return id === undefined
        ? shown`ComfyUI doesn't know this node's type and keeps only its position and mode, so the edit was undone.`
        : shown`ComfyUI doesn't know the type of node ${id} and keeps only its position and mode, so the edit was undone.`;
    case 'randomSubgraph':
      return shown`ComfyUI gives this subgraph another ID each time it loads the file, so the edit was undone.`;
    case 'lostNodes':
      return shown`ComfyUI lost nodes of this file when it loaded it, so the edit was undone.`;
    case 'changedMeanwhile':
      return shown`The file changed at the same place, so your last edit in ComfyUI was undone.`;
    case 'notGraph':
    case 'notState':
    case 'otherIds':
    case 'otherForm':
    case 'wrongResult':
      return shown`This edit can't be written without changing other parts of the file, so it was undone.`;
  }
}

export function unwrittenWords(error: unknown): CanvasWords {
  const why = error instanceof Error ? error.message : '';
  return { words: shown`The edit was undone: ${why}`, actions: ['openText'] };
}

export function unopenedWords(words: Shown): CanvasWords {
  return { words, actions: ['load', 'showGraph', 'openText'] };
}

export function serverWords(name: string): CanvasWords {
  return { words: shown`This is the ComfyUI page of ${name}.`, actions: ['load'] };
}

export const unreadableWords: CanvasWords = {
  words: shown`The text isn't a valid workflow in graph format, so edits in ComfyUI aren't written until it is.`,
  actions: ['openText'],
};

export const otherWords: CanvasWords = {
  words: shown`ComfyUI shows another workflow, which isn't written to this file.`,
  actions: ['saveOther'],
};

export const keptWords: Readonly<Record<'rename' | 'delete', CanvasWords>> = {
  rename: { words: shown`Rename the file in VS Code. ComfyUI can't.`, actions: [] },
  delete: { words: shown`Delete the file in VS Code. ComfyUI can't.`, actions: [] },
};

export const clearedWords: CanvasWords = {
  words: shown`Only a few canvases stay loaded. This one loads again when it is shown.`,
  actions: [],
};

/** @param length characters that are written */
export function adoptionQuestion(
  names: readonly string[],
  length: number,
): { message: Shown; detail: Shown } {
  const list = shownList(names, 3);
  return {
    message: shown`Rewrite the subgraph ${list}?`,
    detail: shown`ComfyUI stores it in another way than the file. This edit writes about ${sizeText(length)} as ComfyUI has it. One undo takes all of it back.`,
  };
}
