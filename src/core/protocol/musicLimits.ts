import { t } from '../safety/localize';

export const musicLimits = { promptCharacters: 1000, shortestSeconds: 1, longestSeconds: 360 } as const;

/** The published price (protocol 5.5). It has changed before, so all results are estimates. */
export const musicPrice = { creditsPerSecond: 0.5275, dollarsPerSecond: 0.0025 } as const;

/** Counts as the service does: a surrogate pair is one, a line break is two, since every form sends it as CR LF. */
export function musicPromptLength(prompt: string): number {
  return Array.from(prompt.replace(/\r\n?|\n/g, '\r\n')).length;
}

export function musicPromptProblem(prompt: string): string | undefined {
  if (prompt.trim() === '') return t`Describe the music first.`;
  const over = musicPromptLength(prompt) - musicLimits.promptCharacters;
  if (over <= 0) return undefined;
  const limit = musicLimits.promptCharacters;
  return t`The prompt exceeds the limit of ${limit} characters by ${over}.`;
}

export function musicDurationProblem(seconds: number): string | undefined {
  const { shortestSeconds, longestSeconds } = musicLimits;
  if (Number.isInteger(seconds) && seconds >= shortestSeconds && seconds <= longestSeconds) return undefined;
  return t`The duration must be a whole number of seconds from ${shortestSeconds} to ${longestSeconds}.`;
}
