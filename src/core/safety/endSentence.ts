import { displayLanguage } from './localize';

/** A text as a sentence: servers send it with and without a final period. */
export function endSentence(text: string): string {
  const trimmed = text.trim();
  if (/[.!?…。！？]$/.test(trimmed)) return trimmed;
  return displayLanguage().startsWith('zh') ? `${trimmed}。` : `${trimmed}.`;
}
