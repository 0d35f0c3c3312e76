import type { JsonRange } from '../../json/node';
import type { TextEdit } from '../../json/textEdit';

export type CompletionKind = 'classType' | 'input' | 'value' | 'link' | 'slot' | 'model' | 'node' | 'member';

/** One suggestion. The edit replaces the text at the cursor and never spans lines. */
export interface Completion {
  readonly kind: CompletionKind;
  readonly label: string;
  readonly detail?: string | undefined;
  /** Markdown. For node types, it is available from `classMarkdown`. */
  readonly documentation?: string | undefined;
  readonly edit: TextEdit;
  readonly furtherEdits?: readonly TextEdit[] | undefined;
  /** In a snippet `$1`, `${2:…}` are places to fill in. */
  readonly isSnippet: boolean;
  readonly filterText: string;
  /** Suggestions are shown in the order of these. */
  readonly sortText: string;
  readonly isDeprecated?: boolean;
  readonly localFile?: string | undefined;
}

/** Where suggestions are inserted, and how they are matched with the existing text. */
export interface Slot {
  readonly range: JsonRange;
  /** Added before and after each of them: the commas of the surrounding list. */
  readonly before: string;
  readonly after: string;
}

export interface Suggestion {
  readonly kind: CompletionKind;
  readonly label: string;
  readonly newText: string;
  readonly detail?: string | undefined;
  readonly documentation?: string | undefined;
  readonly words?: string | undefined;
  readonly rank: number;
  readonly isSnippet?: boolean;
  readonly isDeprecated?: boolean;
  readonly furtherEdits?: readonly TextEdit[] | undefined;
  readonly localFile?: string | undefined;
}

export function completionsIn(slot: Slot, suggestions: readonly Suggestion[]): Completion[] {
  return suggestions.map((each, index) => {
    const { kind, label, newText, detail, documentation, words, rank, furtherEdits, localFile } = each;
    return {
      kind,
      label,
      detail,
      documentation,
      edit: {
        offset: slot.range.offset,
        length: slot.range.length,
        newText: slot.before + newText + slot.after,
      },
      furtherEdits,
      isSnippet: each.isSnippet === true,
      filterText: words === undefined ? plainText(each) : `${plainText(each)} ${words}`,
      sortText: `${String(rank).padStart(3, '0')}${String(index).padStart(6, '0')}`,
      ...(each.isDeprecated === true ? { isDeprecated: true } : {}),
      ...(localFile === undefined ? {} : { localFile }),
    };
  });
}

export function inSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

function plainText({ newText, label, isSnippet }: Suggestion): string {
  return isSnippet === true ? JSON.stringify(label) : newText;
}
