import { isExactList } from '../../json/exactValue';
import { unwrapLiteral } from '../convertLiteral';
import { classPlace, type InputRule, nodeName, valuePlace } from '../rule';
import { namesFile } from '../validators';
import { shown } from '../wording';
import { t } from '../../safety/localize';

/**
 * What stands where a class wants the name of a file, and is none. The class looks for the file while the server checks
 * the prompt, before any link has a value, and fails on everything but text.
 */
export const fileNames: InputRule = ({ node, declared, value, validator }, { view, server }, report) => {
  const { name } = declared;
  if (!namesFile(validator, name)) return;
  const place = valuePlace(node, name);
  const reader = node.classType ?? t`The node`;
  if (isExactList(value)) {
    // Lists that are no link have a rule of their own, and so have links to nowhere.
    const target = typeof value[0] === 'string' ? view.nodes.get(value[0]) : undefined;
    if (value.length !== 2 || !target) return;
    report({
      code: 'value-type',
      ...place,
      message: t`${name} needs a file name, which a link can't provide: ${reader} looks for this file before the workflow runs, and ${server} fails on the link. Enter the name here.`,
      counts: 'checked',
      related: [{ ...classPlace(target), message: t`${nodeName(target)} is here.` }],
    });
    return;
  }
  const given = unwrapLiteral(value);
  if (typeof given === 'string') return;
  report({
    code: 'value-type',
    ...place,
    message: t`${name} needs a file name; ${shown(given)} is not one. ${reader} looks for this file before the workflow runs, and ${server} fails on it.`,
    counts: 'checked',
  });
};
