/** A text as a sentence: those of servers come with and without a full stop. */
export function endSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…。！？]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
