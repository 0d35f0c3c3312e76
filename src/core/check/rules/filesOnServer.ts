import { splitFolderNote } from '../../workflow/mediaInputs';
import { type InputRule, valuePlace, classPlace, checkedNodeName } from '../rule';
import { isListed } from './options';
import { t } from '../../safety/localize';
import { isExactList } from '../../json/exactValue';
import { unwrapLiteral } from '../convertLiteral';
import { failsOnName } from '../validators';
import { shownExact } from '../wording';

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

/**
 * Pictures, sounds and the like that the server does not list. The list is as old as the definitions and contains only
 * the input folder, so this is not an error: the file may have been added since (workflows 4.8). Files next to the
 * workflow are uploaded when it runs, so they are not reported.
 */
export const uploads: InputRule = (
  { node, definition, declared, value, source },
  { server, isLocal },
  report,
) => {
  const { spec, name } = declared;
  if (spec.kind !== 'combo' || spec.upload === undefined || typeof value !== 'string') return;
  const isEmpty = value === '';
  if (isEmpty && declared.section !== 'required') return;
  const { fileName, folder } = splitFolderNote(value);
  if (folder !== 'input' || isListed(node, name, value) || isListed(node, name, fileName)) return;
  const shownName = JSON.stringify(fileName);
  const place = valuePlace(node, name);
  report({
    code: 'file-not-on-server',
    ...place,
    fix: source && {
      kind: 'chooseFile',
      range: place.range,
      fileName,
      classType: definition.classType,
      input: name,
      upload: spec.upload,
    },
    isSilent: !isEmpty && isLocal?.(fileName, spec.upload) === true,
    message: isEmpty
      ? t`No file is selected. Select one that is on the server or next to the workflow.`
      : isLocal
        ? t`${shownName} isn't on ${server} or next to the workflow. To upload it on the next run, put it next to the workflow. Otherwise, choose another file.`
        : t`${shownName} is not on ${server} yet. If it is next to the workflow, running the workflow uploads it; otherwise choose another file.`,
  });
};
