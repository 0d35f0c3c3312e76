import * as vscode from 'vscode';
import { type Shown, shown } from '../../core/safety/shownText';
import { definedFields } from './defined';
import { withoutSecrets } from './shownSecrets';

/*
 * The only file that hands words to VS Code's notifications, questions, progress, lists and input boxes, and the only
 * one that makes its tree items, status items and Markdown. What comes in is `Shown`; lint refuses the calls elsewhere.
 *
 * Why: VS Code reads these words itself (1.100 to 1.139, by its sources):
 *   links   [label](command:…) become links that run commands in every notification, also in one of progress; in the
 *           prompt and the validation message of an input box; in the detail of a language status item. In the title of
 *           progress in the status bar a link loses its address and shows its label alone.
 *   icons   $(name) become icons in labels, descriptions and details of quick picks, in status items, in progress in
 *           the status bar, in prompts, in code lenses, in language status items and in Markdown that asks for them.
 *   neither The text of modal questions, tree items with a string, titles, placeholders, tooltips that are strings,
 *           diagnostics, inlay hints: there only characters that act or hide do harm.
 * The rule is the same everywhere, because VS Code has moved this line before.
 */

/** VS Code truncates notifications here. */
const notificationText = 1_000;

let questionsOpen = 0;

/** Whether a question, a list or an input box of ours is on the screen. */
export function isQuestionOpen(): boolean {
  return questionsOpen > 0;
}

async function whileOpen<T>(question: Thenable<T>): Promise<T> {
  questionsOpen++;
  try {
    return await question;
  } finally {
    questionsOpen--;
  }
}

export interface Button {
  readonly label: Shown;
}

type Say = (message: string, ...labels: string[]) => Thenable<string | undefined>;

/** Resolves with the button that was pressed, or undefined if the notification closed. */
type Notify = <B extends Button>(message: Shown, ...buttons: readonly B[]) => Thenable<B | undefined>;

export const showInformation: Notify = (message, ...buttons) =>
  say((...words) => vscode.window.showInformationMessage(...words), message, buttons);

export const showWarning: Notify = (message, ...buttons) =>
  say((...words) => vscode.window.showWarningMessage(...words), message, buttons);

export const showError: Notify = (message, ...buttons) =>
  say((...words) => vscode.window.showErrorMessage(...words), message, buttons);

interface ModalQuestion {
  readonly message: Shown;
  readonly detail?: Shown;
  /** The button that does nothing, if "Cancel" could be mistaken for an answer. */
  readonly close?: Shown;
}

/** Asks a question with one answer, and whether the user gave it. @param question `goOn` labels its button */
export async function askToGoOn({
  goOn,
  ...question
}: ModalQuestion & { readonly goOn: Shown }): Promise<boolean> {
  return (await askModalQuestion(question, { label: goOn })) !== undefined;
}

export function askModalQuestion<B extends Button>(
  question: ModalQuestion,
  ...buttons: readonly B[]
): Thenable<B | undefined> {
  const options = { modal: true, ...definedFields({ detail: withoutSecrets(question.detail?.lines()) }) };
  const { close } = question;
  const answer = say(
    (message, ...labels) => {
      if (!close) return vscode.window.showWarningMessage(message, options, ...labels);
      const items = labels.map((title): vscode.MessageItem => ({ title }));
      items.push({ title: withoutSecrets(close.line()), isCloseAffordance: true });
      return vscode.window
        .showWarningMessage(message, options, ...items)
        .then((chosen) => (chosen?.isCloseAffordance === true ? undefined : chosen?.title));
    },
    question.message,
    buttons,
  );
  return whileOpen(answer);
}

function say<B extends Button>(how: Say, message: Shown, buttons: readonly B[]): Thenable<B | undefined> {
  const labels = buttons.map(({ label }) => withoutSecrets(label.line()));
  return how(withoutSecrets(message.line(notificationText)), ...labels).then((chosen) =>
    chosen === undefined ? undefined : buttons[labels.indexOf(chosen)],
  );
}

export interface ShownProgress {
  report(step: { readonly message?: Shown; readonly increment?: number | undefined }): void;
}

export function showProgress<T>(
  {
    title,
    ...options
  }: {
    readonly location: vscode.ProgressOptions['location'];
    readonly title?: Shown;
    readonly cancellable?: boolean;
  },
  work: (progress: ShownProgress, token: vscode.CancellationToken) => Thenable<T>,
): Thenable<T> {
  return vscode.window.withProgress(
    { ...options, ...definedFields({ title: withoutSecrets(title?.line()) }) },
    (progress, token) =>
      work(
        {
          report: ({ message, increment }) =>
            progress.report(definedFields({ message: withoutSecrets(message?.line()), increment })),
        },
        token,
      ),
  );
}

/** Shows work in a notification that can cancel it. The signal's reason is a cancellation, which nobody is told. */
export function showCancellable<T>(
  title: Shown,
  work: (signal: AbortSignal, progress: ShownProgress) => Thenable<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return showProgress({ location, title, cancellable: true }, (progress, token) => {
    const left = new AbortController();
    token.onCancellationRequested(() => left.abort(new vscode.CancellationError()));
    return work(left.signal, progress);
  });
}

/** An entry of a list. Our own icons may be in its text. */
export interface ListRow {
  readonly label: Shown;
  readonly description?: Shown | undefined;
  readonly detail?: Shown | undefined;
  readonly isSeparator?: boolean;
  readonly alwaysShow?: boolean;
  readonly thumbnail?: vscode.Uri;
}

interface PickEntry<P> extends vscode.QuickPickItem {
  readonly pick: P;
}

export interface PickOptions {
  readonly title?: Shown;
  readonly placeHolder?: Shown | undefined;
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
  /** It stays open while the user looks at something else. */
  readonly ignoreFocusOut?: boolean;
}

function entryOf<P extends ListRow>(pick: P): PickEntry<P> {
  const { label, description, detail, isSeparator, alwaysShow, thumbnail } = pick;
  return {
    pick,
    label: withoutSecrets(label.line()),
    ...definedFields({
      description: withoutSecrets(description?.line()),
      detail: withoutSecrets(detail?.line()),
      kind: isSeparator ? vscode.QuickPickItemKind.Separator : undefined,
      alwaysShow,
      iconPath: thumbnail,
    }),
  };
}

/** Lets the user select one entry; undefined when dismissed. */
export async function pickOne<P extends ListRow>(
  picks: readonly P[],
  options: PickOptions,
): Promise<P | undefined> {
  const chosen = await whileOpen(vscode.window.showQuickPick(picks.map(entryOf), pickOptions(options)));
  return chosen?.pick;
}

/** Lets the user select several entries; undefined when dismissed. */
export async function pickSome<P extends ListRow>(
  picks: readonly P[],
  options: PickOptions,
): Promise<readonly P[] | undefined> {
  const list = { ...pickOptions(options), canPickMany: true } as const;
  const chosen = await whileOpen(vscode.window.showQuickPick(picks.map(entryOf), list));
  return chosen?.map(({ pick }) => pick);
}

function pickOptions({ title, placeHolder, ...options }: PickOptions): vscode.QuickPickOptions {
  return {
    ...options,
    ...definedFields({
      title: withoutSecrets(title?.line()),
      placeHolder: withoutSecrets(placeHolder?.line()),
    }),
  };
}

export class LivePick<P extends ListRow> implements vscode.Disposable {
  readonly #list = vscode.window.createQuickPick<PickEntry<P>>();

  constructor(title: Shown, placeHolder: Shown, typed: string) {
    this.#list.title = withoutSecrets(title.line());
    this.#list.placeholder = withoutSecrets(placeHolder.line());
    this.#list.value = typed;
  }

  set matchOnDescription(matches: boolean) {
    this.#list.matchOnDescription = matches;
  }

  get typed(): string {
    return this.#list.value;
  }

  set busy(busy: boolean) {
    this.#list.busy = busy;
  }

  set picks(picks: readonly P[]) {
    this.#list.items = picks.map(entryOf);
  }

  onDidType(listener: () => void): void {
    this.#list.onDidChangeValue(listener);
  }

  onDidMove(listener: (to: P | undefined) => void): void {
    this.#list.onDidChangeActive(([active]) => listener(active?.pick));
  }

  onDidAccept(listener: (chosen: P | undefined) => void): void {
    this.#list.onDidAccept(() => listener(this.#list.selectedItems[0]?.pick));
  }

  onDidHide(listener: () => void): void {
    this.#list.onDidHide(listener);
  }

  show(): void {
    this.#list.show();
  }

  dispose(): void {
    this.#list.dispose();
  }
}

export interface InputQuestion {
  readonly title: Shown;
  readonly prompt: Shown;
  readonly placeHolder?: Shown;
  readonly value?: string;
  readonly password?: boolean;
  /** Says in our own words why the text is wrong; undefined if it isn't. */
  readonly problem: (typed: string) => string | undefined;
  readonly note?: (typed: string) => Shown | undefined;
}

/** Asks for a text; undefined when dismissed. It stays open when the window loses focus. */
export function askText(question: InputQuestion): Thenable<string | undefined> {
  const { title, prompt, placeHolder, value, password, problem, note } = question;
  const typed = vscode.window.showInputBox({
    title: withoutSecrets(title.line()),
    prompt: withoutSecrets(prompt.line()),
    ignoreFocusOut: true,
    ...definedFields({ placeHolder: withoutSecrets(placeHolder?.line()), value, password }),
    validateInput: (text) => {
      const wrong = problem(text);
      if (wrong !== undefined) return shown`${wrong}`.line();
      const message = withoutSecrets(note?.(text)?.line());
      return message === undefined
        ? undefined
        : { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  return whileOpen(typed);
}
