import type { TreeItem } from 'vscode';
import { startOfSentence } from '../../core/safety/endSentence';
import { sentencesText, t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { exactTime } from '../../core/safety/timeText';
import { groupItem, rowTreeItem, onceKnownRow, type Row, type TreeSection } from './jobTree';
import type { RowContent } from '../platform/showItems';
import { unknownOutputsWords } from '../../core/jobs/outputCount';
import { pointerId, type PointerStore } from '../ledger/pointerStore';
import type { RunPointer } from '../ledger/runPointer';

/** Lists the owed runs that failed. Others have the row of their job. */
export class OwedSection implements TreeSection {
  readonly #rows = new Map<string, Row>();
  readonly #group: Row = {
    kind: 'group',
    id: 'owed',
    item: () => groupItem('owed', t`Outputs Not Saved`, this.#shown().length),
    children: () => this.#shown().map((pointer) => this.#row(pointerId(pointer))),
  };

  constructor(private readonly owed: PointerStore) {}

  readonly onDidChange: TreeSection['onDidChange'] = (listener) =>
    this.owed.onDidChange(() => {
      listener(undefined);
    });

  roots(): Promise<readonly Row[]> {
    return Promise.resolve(this.#shown().length > 0 ? [this.#group] : []);
  }

  #shown(): readonly RunPointer[] {
    return this.owed.owed().filter((pointer) => pointer.outputsUnknown ?? this.owed.troubleOf(pointer));
  }

  #row(entryId: string): Row {
    const id = `owed:${entryId}`;
    const item = (): TreeItem => {
      const entry = this.owed.owedOf(entryId);
      return rowTreeItem(id, entry && owedContent(entry, this.owed.troubleOf(entry)?.words));
    };
    return onceKnownRow(this.#rows, { kind: 'owed', id, entryId, item });
  }
}

function owedContent(
  { label, serverName, jobId, sentAt, askedAt, outputsUnknown: isUnknown }: RunPointer,
  trouble = '',
): RowContent {
  const { message, nextAction } = unknownOutputsWords();
  const words = isUnknown ? sentencesText(message, nextAction) : trouble;
  const state = isUnknown ? t`outputs unknown` : t`outputs not saved yet`;
  const at = exactTime(askedAt ?? sentAt);
  const since =
    askedAt !== undefined
      ? shown`Requested ${at} from ${serverName}`
      : shown`Submitted ${at} to ${serverName}`;
  const job = jobId === undefined ? shown`No job ID yet` : shown`${startOfSentence(t`job ${jobId}`)}`;
  return {
    label,
    // Its state tells more than the start of a long sentence.
    description: isUnknown ? state : words,
    icon: isUnknown
      ? { id: 'warning', color: 'list.warningForeground' }
      : { id: 'cloud-download', color: 'testing.iconQueued' },
    contextValue: isUnknown ? 'outputsUnknown' : 'owed',
    spoken: t`${label}, ${state}: ${words}`,
    tooltip: Shown.join([shown`${label}: ${state}`, words, since, job], shown`\n`),
  };
}
