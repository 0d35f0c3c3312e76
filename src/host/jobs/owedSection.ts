import type { TreeItem } from 'vscode';
import { startOfSentence } from '../../core/safety/endSentence';
import { sentencesText, t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { exactTime, timeOfDay } from '../../core/safety/timeText';
import { groupItem, rowTreeItem, onceKnownRow, type Row, type TreeSection } from './jobTree';
import type { RowContent } from '../platform/showItems';
import { unknownOutputsWords } from '../../core/jobs/outputCount';
import type { OwedPhase } from '../../core/runLife/run';
import { pointerId, type RunPointer, type RunPointers } from '../../core/runLife/runPointers';
import { budgets } from '../../core/safety/budgets';
import { errorWords } from '../../core/safety/errorWords';
import { isCancellation } from '../platform/problems';

/** Lists the owed runs that failed. Others have the row of their job. */
export class OwedSection implements TreeSection {
  readonly #rows = new Map<string, Row>();
  readonly #group: Row = {
    kind: 'group',
    id: 'owed',
    item: () => groupItem('owed', t`Outputs Not Saved`, this.#shown().length),
    children: () => this.#shown().map((pointer) => this.#row(pointerId(pointer))),
  };

  constructor(private readonly owed: RunPointers) {}

  readonly onDidChange: TreeSection['onDidChange'] = (listener) => ({
    dispose: this.owed.onDidChange(() => {
      listener(undefined);
    }),
  });

  roots(): Promise<readonly Row[]> {
    return Promise.resolve(this.#shown().length > 0 ? [this.#group] : []);
  }

  #shown(): readonly RunPointer[] {
    return this.owed.owed().filter((pointer) => pointer.outputsUnknown ?? this.owed.leftOf(pointer));
  }

  #row(entryId: string): Row {
    const id = `owed:${entryId}`;
    const item = (): TreeItem => {
      const entry = this.owed.owedOf(entryId);
      return rowTreeItem(id, entry && owedContent(entry, this.owed.leftOf(entry)));
    };
    return onceKnownRow(this.#rows, { kind: 'owed', id, entryId, item });
  }
}

/** Why it is owed: one sentence, which may contain a server's message. */
export function owedWords(
  { serverName, sentAt }: Pick<RunPointer, 'serverName' | 'sentAt'>,
  { why, error, mayArriveFor }: OwedPhase,
): string {
  // Signing in or out closes it, for example.
  if (isCancellation(error)) return t`The connection to the server was closed.`;
  if (why === 'serverRemoved') return t`The server ${serverName} has been removed. Add it again.`;
  if (error !== undefined) {
    const { message, nextAction } = errorWords(error);
    return nextAction === '' ? message : `${message} ${nextAction}`;
  }
  if (mayArriveFor === undefined)
    return t`The server didn't respond, so it may or may not have accepted the workflow.`;
  // The row stays as it is until the server is asked again, so it says until when.
  const until = timeOfDay(sentAt + budgets.latestArrival);
  return mayArriveFor === 0
    ? t`Comfy Deck can't tell whether any job on the server is this run.`
    : t`The server doesn't list a job for this run yet, but it may still appear until ${until}.`;
}

function owedContent(pointer: RunPointer, left: OwedPhase | undefined): RowContent {
  const { label, serverName, jobId, sentAt, askedAt, outputsUnknown: isUnknown } = pointer;
  const { message, nextAction } = unknownOutputsWords();
  const words = isUnknown ? sentencesText(message, nextAction) : left ? owedWords(pointer, left) : '';
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
