import type { MusicTrouble } from '../contract/music';
import { element, textButton } from '../ui/element';
import { spokenTime } from './words';
import { t } from '../../core/safety/localize';

export interface TroubleActions {
  readonly keep: () => void;
  readonly dismiss: () => void;
  readonly signIn: () => void;
  readonly again: (prompt: string, seconds: number) => void;
}

/** Why the last generation failed, what to do, and any received music worth keeping. */
export class TroubleView {
  readonly root = element('section', { class: 'notice', role: 'alert' });
  readonly #actions: TroubleActions;

  constructor(actions: TroubleActions) {
    this.#actions = actions;
    this.root.hidden = true;
  }

  /** Focuses its first button; false if there is nothing to show. */
  focus(): boolean {
    this.root.querySelector('button')?.focus();
    return this.root.contains(document.activeElement);
  }

  show(trouble: MusicTrouble | null): void {
    const fingerprint = JSON.stringify(trouble);
    if (this.root.dataset.fingerprint === fingerprint) return;
    this.root.dataset.fingerprint = fingerprint;
    this.root.hidden = trouble === null;
    this.root.replaceChildren();
    if (!trouble) return;
    const { unsaved, prompt, seconds, canSignIn } = trouble;
    const buttons = element('div', { class: 'buttons' });
    if (unsaved)
      buttons.append(
        textButton(unsaved.whole ? t`Save Again` : t`Keep Partial Track`, this.#actions.keep, 'primary'),
      );
    if (canSignIn) buttons.append(textButton(t`Sign In`, this.#actions.signIn, 'primary'));
    buttons.append(
      textButton(t`Edit and Try Again`, () => this.#actions.again(prompt, seconds), 'secondary'),
      textButton(unsaved ? t`Discard` : t`Dismiss`, this.#actions.dismiss, 'secondary'),
    );
    this.root.append(
      element('strong', {}, trouble.message),
      element('p', {}, trouble.nextAction),
      unsaved ? element('p', {}, unsavedText(unsaved)) : '',
      buttons,
    );
  }
}

function unsavedText({ seconds, whole }: NonNullable<MusicTrouble['unsaved']>): string {
  return whole
    ? t`All ${spokenTime(seconds)} arrived and can still be saved.`
    : t`${spokenTime(seconds)} had arrived by then and can be kept.`;
}
