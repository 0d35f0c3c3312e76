import { t } from '../../core/safety/localize';
import type { GraphFinding, NodeProblems, GraphSeverity } from '../contract/graphPanel';
import { element, textButton } from '../ui/element';
import { icon } from '../ui/icon';
import { Popover } from './popover';

export interface ProblemEvents {
  readonly asked: (node: string) => void;
  readonly fixed: (id: number) => void;
  readonly left: () => void;
}

/** The findings of a node in a box, each with its quick fixes. */
export class ProblemBox extends Popover {
  #node: string | undefined;

  constructor(private readonly events: ProblemEvents) {
    super(events.left);
  }

  /** @param at its badge */
  open(node: string, title: string, findings: readonly GraphFinding[], at: DOMRect): void {
    this.#node = node;
    const list = listOf(findings.map((each) => ({ findings: [each] })));
    this.show(t`Problems of ${title}`, new DOMRect(at.right + 4, at.top), list);
    this.events.asked(node);
  }

  offer(node: string, problems: readonly NodeProblems[]): void {
    const { root } = this;
    if (!this.isOpen || node !== this.#node) return;
    root.replaceChildren(
      listOf(problems, (id) => {
        this.close();
        this.events.fixed(id);
      }),
    );
    root.querySelector('button')?.focus();
    root.onkeydown = (event) => moveIn(root, event);
  }
}

/** Why something was refused, beside its row. */
export class RefusalBox extends Popover {
  open(words: string, at: DOMRect, next?: { readonly label: string; readonly go: () => void }): void {
    const go = next && textButton(next.label, next.go, 'secondary');
    go?.addEventListener('click', () => this.close());
    this.root.classList.add('refusal');
    const text = element('p', { class: 'problem', role: 'alert' }, words);
    this.show(words, new DOMRect(at.left, at.bottom + 4), text, ...(go ? [go] : []));
    go?.focus();
  }
}

function listOf(problems: readonly NodeProblems[], onFix?: (id: number) => void): HTMLElement {
  const items = problems.map(({ findings, fixes }) => {
    const entries = fixes?.map(({ id, title }) => menuEntry(title, () => onFix?.(id))) ?? [];
    const words = fixes ? t`No quick fixes available` : t`Looking for quick fixes…`;
    const offered =
      entries.length > 0
        ? element('div', { class: 'menu', role: 'menu', 'aria-label': t`Quick fixes` }, ...entries)
        : element('p', { class: 'hint' }, words);
    return element('li', {}, ...findings.map(lineOf), offered);
  });
  return element('ul', { class: 'problems' }, ...items);
}

function menuEntry(title: string, onClick: () => void): HTMLButtonElement {
  const entry = element('button', { type: 'button', role: 'menuitem', class: 'menu-entry' }, title);
  entry.addEventListener('click', onClick);
  return entry;
}

/** The keys of a menu, over those of all problems. */
function moveIn(root: HTMLElement, event: KeyboardEvent): void {
  const entries = [...root.querySelectorAll<HTMLElement>('.menu-entry')];
  const at = entries.findIndex((entry) => entry === document.activeElement);
  const places: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const place = places[event.key];
  if (place === undefined) return;
  event.preventDefault();
  entries.at(place % entries.length)?.focus();
}

function lineOf({ severity, text }: GraphFinding): HTMLElement {
  const word = { error: t`Error`, warning: t`Warning`, information: t`Information` }[severity];
  return element('p', { class: severity }, icon(icons[severity]), element('b', {}, word), ' ', text);
}

const icons = { error: 'failed', warning: 'warning', information: 'text' } as const satisfies Record<
  GraphSeverity,
  string
>;
