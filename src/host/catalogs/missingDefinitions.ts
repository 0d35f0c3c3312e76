import { endSentence } from '../../core/safety/endSentence';
import { sentencesText, t } from '../../core/safety/localize';
import { plainText } from '../../core/safety/plainText';
import type { DefinitionsState } from './definitionSource';

/** Why a graph lacks names and sizes that node definitions have. */
export function missingDefinitionsText({ server, problem }: DefinitionsState): string {
  if (!server) return t`Select a server to see the names and sizes from its node definitions.`;
  return sentencesText(
    endSentence(plainText(problem ?? t`${server.name} sent no node definitions.`)),
    t`Some names and sizes are missing without them.`,
  );
}
