import { splitFolderNote } from '../../workflow/mediaInputs';
import { type InputRule, valuePlace } from '../rule';
import { isListed } from './options';
import { t } from '../../safety/localize';

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
