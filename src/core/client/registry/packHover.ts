import type { PackCard } from './packCard';
import { packFacts } from './packWords';

/** What a hover offers to do; addresses that the editor understands, such as `command:` ones. */
export interface PackLinks {
  readonly page: string;
  readonly review: string;
  /** https; missing where nobody has written about the pack. */
  readonly web?: string | undefined;
}

const longestDescription = 300;

/** A pack in markdown. All words of the registry are escaped: they can be no link, no picture and no HTML. */
export function packHover(card: PackCard, links: PackLinks, how: 'provides' | 'maybe' = 'provides'): string {
  const says = how === 'provides' ? 'Provided by the node pack' : 'Perhaps in the node pack';
  const from = card.publisher === undefined ? '' : ` by ${escapeMarkdown(card.publisher)}`;
  const facts = packFacts(card).map(([name, words]) => `${name}: ${escapeMarkdown(words)}`);
  const description = card.description === undefined ? '' : escapeMarkdown(shortened(card.description));
  return [
    `${says} **${escapeMarkdown(card.name)}**${from}`,
    card.warnings.map((warning) => `⚠ **${escapeMarkdown(warning)}**`).join('  \n'),
    description,
    facts.join(' · '),
    [
      `[Pack page](${links.page})`,
      `[Review…](${links.review})`,
      ...(links.web === undefined ? [] : [`[On the web](${addressInMarkdown(links.web)})`]),
    ].join(' · '),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Every mark of punctuation is escaped, so that also bare addresses stay text. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&').replace(/\s+/g, ' ');
}

function addressInMarkdown(address: string): string {
  return address.replace(/[()<>\s\\]/g, (mark) =>
    encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'),
  );
}

function shortened(text: string): string {
  return text.length > longestDescription ? `${text.slice(0, longestDescription - 1)}…` : text;
}
