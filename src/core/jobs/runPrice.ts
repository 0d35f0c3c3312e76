import { numberText, plural, t } from '../safety/localize';
import type { Job, JobNode } from './job';

/** The cost of partner nodes in credits, as the server reported it while they ran (protocol 3.8). */
interface RunPrice {
  readonly credits: number;
  readonly nodes: Readonly<Record<string, number>>;
}

/** The price in the text of a partner node; undefined for any other text. */
export function priceInText(text: string): number | undefined {
  const [, digits] =
    /^Price: ((?:\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.\d{1,9})?) credits?$/m.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

export function runPrice(job: Job): RunPrice | undefined {
  const nodes = Object.values(job.nodes).flatMap((node) => {
    const credits = jobNodePrice(node);
    return credits === undefined ? [] : [[node.nodeId, credits] as const];
  });
  return priceOfNodes(Object.fromEntries(nodes));
}

export function priceOfNodes(nodes: RunPrice['nodes']): RunPrice | undefined {
  const credits = sumOfCredits(Object.values(nodes));
  return credits === undefined ? undefined : { credits, nodes };
}

/** The sum of the known prices, exact to the cent; undefined if none is known. */
export function sumOfCredits(known: Iterable<number | undefined>): number | undefined {
  let sum: number | undefined;
  for (const each of known) if (each !== undefined) sum = (sum ?? 0) + each;
  return sum === undefined ? undefined : Math.round(sum * 100) / 100;
}

export function creditsText(credits: number | undefined): string {
  return credits === undefined ? '' : plural(credits, t`1 credit`, t`${numberText(credits)} credits`);
}

export function jobNodePrice({ price, parts = {} }: JobNode): number | undefined {
  return sumOfCredits([price, ...Object.values(parts).map((part) => part.price)]);
}
