import type { PackCard } from '../../core/registry/packCard';

/** A name and what there is to say about it, such as `['License', 'MIT']`. */
export type PackFact = readonly [name: string, words: string];

/** The facts of a card that are known, in the order in which they are read. */
export function packFacts(card: PackCard): PackFact[] {
  const { version, releasedAt, downloads, githubStars, rating, license } = card;
  const released = releasedAt === undefined ? '' : `, ${day(releasedAt)}`;
  const facts: [string, string | undefined][] = [
    ['Latest version', version === undefined ? undefined : `${version}${released}`],
    ['Rating', rating === undefined ? undefined : ratingWords(rating)],
    ['Downloads', downloads === undefined ? undefined : countWords(downloads)],
    ['GitHub stars', githubStars === undefined ? undefined : countWords(githubStars)],
    ['Runs on', card.os.join(', ')],
    ['Accelerators', card.accelerators.join(', ')],
    ['Needs', neededWords(card).join(', ')],
    ['License', license],
    ['Category', card.category],
    ['Tags', card.tags.join(', ')],
    ['Python packages', card.dependencies.join(', ')],
    ['In the registry since', card.createdAt === undefined ? undefined : day(card.createdAt)],
  ];
  return facts.flatMap(([name, words]) =>
    words === undefined || words === '' ? [] : [[name, words] as const],
  );
}

/** What a pack or a version asks of its surroundings, such as `ComfyUI >=0.3.40`. */
export function neededWords(needs: {
  readonly comfyuiVersion?: string | undefined;
  readonly frontendVersion?: string | undefined;
}): string[] {
  return [
    ...(needs.comfyuiVersion === undefined ? [] : [`ComfyUI ${needs.comfyuiVersion}`]),
    ...(needs.frontendVersion === undefined ? [] : [`frontend ${needs.frontendVersion}`]),
  ];
}

/** `2026-02-03`, of milliseconds since the epoch. */
export function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** `★★★★☆ 4.2 of 5`, with a number for those who do not see the stars. */
export function ratingWords(rating: number): string {
  const full = Math.round(rating);
  return `${'★'.repeat(full)}${'☆'.repeat(5 - full)} ${rating.toFixed(1)} of 5`;
}

/** `1,234,567`: the same in every locale. */
export function countWords(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
