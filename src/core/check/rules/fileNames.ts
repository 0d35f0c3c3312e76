import { isExactList } from '../../json/exactValue';
import { unwrapLiteral } from '../convertLiteral';
import { classPlace, type InputRule, checkedNodeName, valuePlace } from '../rule';
import { failsOnName } from '../validators';
import { shownExact } from '../wording';
import { t } from '../../safety/localize';

/** The node type looks up the file before links have values, and fails on everything but strings. */
export const fileNames: InputRule = ({ node, declared, value, validator }, { view, server }, report) => {
  const { name } = declared;
  const given = isExactList(value) ? null : unwrapLiteral(value);
  if (!failsOnName(validator, name, given)) return;
  const place = valuePlace(node, name);
  const reader = node.classType ?? t`The node`;
  if (isExactList(value)) {
    // Other rules report lists that are not links, and links to missing nodes.
    const target = typeof value[0] === 'string' ? view.nodes.get(value[0]) : undefined;
    if (value.length !== 2 || !target) return;
    report({
      code: 'value-type',
      ...place,
      message: t`${name} can't be a link. ${reader} looks for this file before the workflow runs, so ${server} fails. Enter a file name.`,
      counts: 'checked',
      related: [{ ...classPlace(target), message: t`${checkedNodeName(target)} is here.` }],
    });
    return;
  }
  report({
    code: 'value-type',
    ...place,
    message: t`${name} needs a file name, and ${shownExact(given)} isn't one. ${reader} looks for this file before the workflow runs, so ${server} fails.`,
    counts: 'checked',
  });
};
