import { displayLanguage } from './localize';

/** Words that also stand within a sentence, at its start. */
export function startOfSentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A text as a sentence: servers send it with and without a final period. */
export function endSentence(text: string): string {
  const trimmed = text.trim();
  if (/[.!?…。！？]$/.test(trimmed)) return trimmed;
  return displayLanguage().startsWith('zh') ? `${trimmed}。` : `${trimmed}.`;
}
