import type { PackAnswer, UnknownClass } from './packAnswer';
import type { PackCard } from './packCard';

export interface LookedUp {
  readonly unknown: UnknownClass;
  readonly answer?: PackAnswer;
  readonly error?: unknown;
}

export interface MissingPacks {
  readonly packs: readonly {
    readonly card: PackCard;
    readonly classTypes: readonly string[];
    readonly isSure: boolean;
  }[];
  /** Packs named by the file that the registry does not know, or could not be asked about. */
  readonly named: readonly NamedPack[];
  readonly core: readonly string[];
  readonly without: readonly string[];
  readonly failed: readonly { readonly classType: string; readonly error: unknown }[];
}

export interface NamedPack {
  readonly name: string;
  readonly repository?: string | undefined;
  readonly classTypes: readonly string[];
}

export function missingPacks(answers: readonly LookedUp[]): MissingPacks {
  const named = namedPacks(answers);
  const isNamed = new Set(named.flatMap(({ classTypes }) => classTypes));
  return {
    packs: foundPacks(answers),
    named,
    core: answers.flatMap(({ unknown, answer }) => (answer?.kind === 'core' ? [unknown.classType] : [])),
    without: answers.flatMap(({ unknown: { classType }, answer }) =>
      answer?.kind === 'none' && !isNamed.has(classType) ? [classType] : [],
    ),
    failed: answers.flatMap(({ unknown: { classType }, answer, error }) =>
      answer ? [] : [{ classType, error }],
    ),
  };
}

function foundPacks(answers: readonly LookedUp[]): MissingPacks['packs'] {
  const packs = new Map<string, { card: PackCard; classTypes: string[]; isSure: boolean }>();
  for (const { unknown, answer } of answers) {
    if (answer?.kind !== 'found' || isGuessBesideName(unknown, answer)) continue;
    const { card, how } = answer;
    const pack = packs.get(card.id) ?? { card, classTypes: [], isSure: false };
    pack.classTypes.push(unknown.classType);
    pack.isSure ||= how === 'provides';
    packs.set(card.id, pack);
  }
  return [...packs.values()].sort(byClasses);
}

function namedPacks(answers: readonly LookedUp[]): NamedPack[] {
  const packs = new Map<string, { name: string; repository?: string | undefined; classTypes: string[] }>();
  for (const { unknown, answer } of answers) {
    const { classType, pack, repository } = unknown;
    const name = pack ?? repository;
    const isKnown =
      answer?.kind === 'core' || (answer?.kind === 'found' && !isGuessBesideName(unknown, answer));
    if (name === undefined || isKnown) continue;
    const named = packs.get(name) ?? { name, repository, classTypes: [] };
    named.repository ??= repository;
    named.classTypes.push(classType);
    packs.set(name, named);
  }
  return [...packs.values()].sort(byClasses);
}

function isGuessBesideName({ pack, repository }: UnknownClass, answer: PackAnswer): boolean {
  return answer.kind === 'found' && answer.how === 'maybe' && (pack ?? repository) !== undefined;
}

function byClasses(one: { readonly classTypes: readonly string[] }, other: typeof one): number {
  return other.classTypes.length - one.classTypes.length;
}
