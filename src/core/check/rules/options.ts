import { type ExactValue, isExactList, isExactObject } from '../../json/exactValue';
import { writeExact } from '../../json/exactWriter';
import { indexOfChoices } from '../choiceIndex';
import type { CheckCode } from '../codes';
import { unwrapLiteral } from '../convertLiteral';
import { unlistedValues } from '../literalErrors';
import type { NodeView } from '../promptView';
import { type InputRule, type InputSubject, type Report, type RuleContext, valuePlace } from '../rule';
import { isLeftToValidator } from '../validators';
import { placeholderIn, setAdvice } from './placeholders';
import { listWithOr, shownExact, withProposal } from '../wording';
import { sentencesText, t } from '../../safety/localize';

const shortList = 8;
const mostProposed = 5;

/** Values that are not among the options (workflows 4.2, row 9), by what is wrong with them. */
export const unlistedOptions: InputRule = (subject, context, report) => {
  const { declared, validator, value } = subject;
  const { spec, name } = declared;
  if (spec.kind !== 'combo' || isExactList(value)) return;
  // Other rules report files to upload, and lists that the definition does not contain.
  if (spec.upload !== undefined || isLeftToValidator(validator, name)) return;
  for (const each of unlistedValues(spec, unwrapLiteral(value)))
    tell(subject, each, spec.choices, context, report);
};

function tell(
  { node, declared, source }: InputSubject,
  value: ExactValue,
  choices: readonly ExactValue[],
  { similar: likest }: RuleContext,
  report: Report,
): void {
  const { name } = declared;
  const isSingle = source?.link === undefined && source?.valueNode.kind !== 'object';
  const say = (code: CheckCode, message: string, texts: readonly ExactValue[]): void => {
    const place = valuePlace(node, name);
    const proposed = texts.slice(0, mostProposed);
    const fix = {
      kind: 'replaceText' as const,
      range: place.range,
      texts: proposed.map(writeExact),
      ...(choices.length > proposed.length && { choices }),
    };
    report({
      code,
      ...place,
      message,
      counts: 'checked',
      fix: isSingle && texts.length > 0 ? fix : undefined,
    });
  };
  const texts = (): string[] => choices.filter((choice) => typeof choice === 'string');
  const match = typeof value === 'string' ? likeness(value, choices) : undefined;
  if (match) {
    const meant = listWithOr(match.texts.map(shownExact));
    const message =
      match.code === 'option-spelling'
        ? t`${name}: ${shownExact(value)} is spelled differently on the server. Use ${meant}.`
        : t`${name}: ${shownExact(value)} is in another folder on the server. Use ${meant}.`;
    say(match.code, message, match.texts);
    return;
  }
  if (typeof value === 'string' && placeholderIn(value) !== undefined) {
    const [first] = texts();
    const message = sentencesText(
      notAnOption(name, shownExact(value), choices),
      setAdvice(node.id, name, first ?? '…'),
    );
    say('option-unknown', message, choices);
    return;
  }
  const saved = isExactObject(value) ? (value.get('content') ?? null) : null;
  if (indexOfChoices(choices).has(saved)) {
    // With the picture of the option, as in the lists of Custom-Scripts.
    const fix = {
      kind: 'replaceText',
      range: valuePlace(node, name).range,
      texts: [writeExact(saved)],
    } as const;
    const message = t`${name} is an object, as older versions of the node pack saved it. Use ${shownExact(saved)}.`;
    report({ code: 'option-unknown', ...valuePlace(node, name), message, counts: 'checked', fix });
    return;
  }
  if (choices.length === 0) {
    say(
      'option-unknown',
      t`${name} has no options on the server, so ${shownExact(value)} can't be selected. Add a file to the server's folder first.`,
      [],
    );
    return;
  }
  const similar = typeof value === 'string' ? likest(value, texts()) : [];
  const alike = typeof value === 'string' ? indexOfChoices(choices).namesLike(value, mostProposed) : [];
  const proposed = new Set<ExactValue>([...similar, ...alike, ...choices.slice(0, mostProposed)]);
  say('option-unknown', withProposal(notAnOption(name, shownExact(value), choices), similar), [...proposed]);
}

function notAnOption(name: string, value: string, choices: readonly ExactValue[]): string {
  const { length } = choices;
  if (length > shortList) return t`${name}: ${value} is not one of the ${length} options.`;
  const list = listWithOr(choices.map(shownExact));
  return t`${name}: ${value} is not one of the options: ${list}.`;
}

interface Likeness {
  readonly code: 'option-spelling' | 'option-in-other-folder';
  readonly texts: readonly string[];
}

function likeness(value: string, choices: readonly ExactValue[]): Likeness | undefined {
  const index = indexOfChoices(choices);
  const same = index.spelledLike(value);
  if (same.length > 0) return { code: 'option-spelling', texts: same };
  const moved = index.filesLike(value);
  return moved.length > 0 ? { code: 'option-in-other-folder', texts: moved } : undefined;
}

/** Used by the rule for files to upload: whether a node's value is in the list. */
export function isListed(node: NodeView, name: string, value: ExactValue): boolean {
  const spec = node.declared.get(name)?.spec;
  return spec?.kind === 'combo' && indexOfChoices(spec.choices).has(value);
}
