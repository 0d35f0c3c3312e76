import type { PackCard } from '../../core/registry/packCard';
import { plainText } from '../../core/safety/plainText';
import { Shown, shown, ShownLink } from '../../core/safety/shownText';
import { packFacts } from './packWords';

/** Actions of a hover; addresses that the editor understands, such as `command:` ones. */
export interface PackLinks {
  readonly page: string;
  readonly review: string;
  readonly copyInstall: string;
  /** https; missing when there is no web page. */
  readonly web?: string | undefined;
}

const longestDescription = 300;

function heading({ name, publisher }: PackCard, how: 'provides' | 'maybe'): Shown {
  const words =
    how === 'provides'
      ? shown`Provided by the node pack **${name}**`
      : shown`Possibly in the node pack **${name}**`;
  return publisher === undefined ? words : shown`${words} (${publisher})`;
}

/** A pack as Markdown: everything from the registry is text. */
export function packHover(card: PackCard, links: PackLinks, how: 'provides' | 'maybe' = 'provides'): Shown {
  const paragraphs = [
    heading(card, how),
    Shown.join(
      card.warnings.map((warning) => shown`⚠ **${warning}**`),
      shown`  \n`,
    ),
    plainText(card.description ?? '', 'one line', longestDescription),
    Shown.join(
      packFacts(card).map(([name, words]) => shown`${name}: ${words}`),
      shown` · `,
    ),
    Shown.join(
      [
        new ShownLink(shown`Pack page`, links.page),
        new ShownLink(shown`Review…`, links.review),
        ...(links.web === undefined ? [] : [new ShownLink(shown`On the web`, links.web)]),
      ],
      shown` · `,
    ),
  ];
  return Shown.join(paragraphs, shown`\n\n`);
}
