import { numberText, plural, t } from './localize';

/** Counts with their nouns: values of sentences that need no plural of their own. */
export function nodesText(count: number): string {
  return plural(count, t`1 node`, t`${count} nodes`);
}

export function nodeTypesText(count: number): string {
  return plural(count, t`1 node type`, t`${numberText(count)} node types`);
}

export function outputsText(count: number): string {
  return plural(count, t`1 output`, t`${count} outputs`);
}

export function runsText(count: number): string {
  return plural(count, t`1 run`, t`${count} runs`);
}

export function jobsText(count: number): string {
  return plural(count, t`1 job`, t`${count} jobs`);
}

export function problemsText(count: number): string {
  return plural(count, t`1 problem`, t`${count} problems`);
}
