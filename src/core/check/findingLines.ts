import { PositionIndex } from '../json/position';
import { t } from '../safety/localize';
import { plainText } from '../safety/plainText';
import { groupByKey } from '../workflow/graph/grouped';
import type { Finding } from './finding';

/**
 * The findings of a file as lines: `file:line:character: severity code: message`, counted from 1 as in editors; hints
 * are left out. Missing node types come first, grouped by pack.
 */
export function findingLines(file: string, text: string, findings: readonly Finding[]): readonly string[] {
  const positions = new PositionIndex(text);
  return byPack(findings)
    .filter(({ severity }) => severity !== 'hint')
    .map(({ code, severity, message, offset, nodeId, nodeIds }) => {
      const { line, character } = positions.positionAt(offset);
      // If there are several, the message names them.
      const node = nodeId === undefined || nodeIds ? '' : ` ${t`(node ${plainText(nodeId)})`}`;
      return `${plainText(file)}:${line + 1}:${character + 1}: ${severity} ${code}${node}: ${plainText(message)}`;
    });
}

function byPack(findings: readonly Finding[]): readonly Finding[] {
  const missing = findings.filter(({ code }) => code === 'unknown-class');
  const packs = groupByKey(missing, ({ fix }) => (fix?.kind === 'findPack' ? fix.pack : undefined));
  return [...[...packs.values()].flat(), ...findings.filter(({ code }) => code !== 'unknown-class')];
}
