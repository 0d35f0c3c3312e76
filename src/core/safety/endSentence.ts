import { displayLanguage } from './localize';

/** A text as a sentence: those of servers come with and without a full stop. */
export function endSentence(text: string): string {
  const trimmed = text.trim();
  if (/[.!?…。！？]$/.test(trimmed)) return trimmed;
  return displayLanguage().startsWith('zh') ? `${trimmed}。` : `${trimmed}.`;
}
