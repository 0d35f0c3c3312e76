import type { PackCard } from '../../core/registry/packCard';
import { startOfSentence } from '../../core/safety/endSentence';
import { numberText, t } from '../../core/safety/localize';
import { dayText } from '../../core/safety/timeText';

/** A name and its value, such as `['License', 'MIT']`. */
export type PackFact = readonly [name: string, words: string];

/** The known facts of a card, in reading order. */
export function packFacts(card: PackCard): PackFact[] {
  const { version, releasedAt, downloads, githubStars, rating, license } = card;
  const released = releasedAt === undefined ? '' : `, ${dayText(releasedAt)}`;
  const facts: [string, string | undefined][] = [
    [startOfSentence(t`latest version`), version === undefined ? undefined : `${version}${released}`],
    [t`Rating`, rating === undefined ? undefined : ratingWords(rating)],
    [t`Downloads`, downloads === undefined ? undefined : countWords(downloads)],
    [t`GitHub stars`, githubStars === undefined ? undefined : countWords(githubStars)],
    [t`Runs on`, card.os.join(', ')],
    [t`Accelerators`, card.accelerators.join(', ')],
    [t`Requires`, neededWords(card).join(', ')],
    [t`License`, license],
    [t`Category`, card.category],
    [t`Tags`, card.tags.join(', ')],
    [t`Python packages`, card.dependencies.join(', ')],
    [t`Added to the registry`, card.createdAt === undefined ? undefined : dayText(card.createdAt)],
  ];
  return facts.flatMap(([name, words]) =>
    words === undefined || words === '' ? [] : [[name, words] as const],
  );
}

/** The requirements of a pack or a version, such as `ComfyUI >=0.3.40`. */
export function neededWords(needs: {
  readonly comfyuiVersion?: string | undefined;
  readonly frontendVersion?: string | undefined;
}): string[] {
  return [
    ...(needs.comfyuiVersion === undefined ? [] : [t`ComfyUI ${needs.comfyuiVersion}`]),
    ...(needs.frontendVersion === undefined ? [] : [t`frontend ${needs.frontendVersion}`]),
  ];
}

/** `★★★★☆ 4.2 of 5`, with a number for those who can't see the stars. */
export function ratingWords(rating: number): string {
  const full = Math.round(rating);
  const stars = '★'.repeat(full) + '☆'.repeat(5 - full);
  return t`${stars} ${rating.toFixed(1)} of 5`;
}

/** `1,234,567`, formatted for the display language. */
export function countWords(count: number): string {
  return numberText(Math.round(count));
}

export function fictionalPack(): string {
  return t`This pack is fictional: it comes from the sandbox's practice registry.`;
}
