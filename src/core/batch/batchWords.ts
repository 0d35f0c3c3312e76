import { parseJson } from '../json/tree';
import { listText, t } from '../safety/localize';
import { estimateText } from '../safety/timeText';
import type { BatchAxis, BatchColumn } from './batchTable';
import type { BatchTime } from './batchTime';
import type { PartnerPrice } from './planBatch';

/** Names an axis by the inputs that it sets: `KSampler.cfg`. */
export function axisName({ columns }: BatchAxis): string {
  return columns.map(columnName).join(', ');
}

export function columnName({ nodeName, input }: Pick<BatchColumn, 'nodeName' | 'input'>): string {
  return `${nodeName}.${input}`;
}

export function partnerWords({ classType, price }: PartnerPrice): string {
  return price === undefined
    ? t`Partner node ${classType}: price unknown.`
    : t`Partner node ${classType}: estimated ${price}.`;
}

export function timeWords(time: BatchTime): string {
  return time.kind === 'time'
    ? t`Estimated time: ${estimateText(time.ms)}, based on earlier runs of this workflow.`
    : t`No time estimate yet for ${listText(time.servers)}.`;
}

export function stepText(axis: BatchAxis, step: number): string {
  return (axis.steps[step] ?? []).map(valueShown).join(', ');
}

/** A JSON value for people: a text without its quotes, anything else with every digit. */
export function valueShown(text: string): string {
  const { root } = parseJson(text);
  return root?.kind === 'string' ? root.value : text;
}
