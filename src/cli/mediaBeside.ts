import path from 'node:path';
import { findLocalFile, type LocalFileQuery, localMediaOf } from '../core/runs/localFile';
import type { LocalMedia } from '../core/runs/localMedia';
import { pathBelow } from '../core/safety/paths';

/**
 * The file that a workflow names: in the workflow's folder or an `input` or `inputs` folder there, or the same in the
 * working folder if the workflow is below it. Does not follow symbolic links out of the two.
 */
export async function mediaBeside(
  workflow: string,
  name: string,
  workingFolder = process.cwd(),
): Promise<LocalMedia | undefined> {
  const query = queryOf(workflow, name, workingFolder);
  const file = await findLocalFile(query);
  return file && localMediaOf(file, query, path.relative(query.root, file.path));
}

/** Whether there is such a file. */
export async function hasMediaBeside(workflow: string, name: string): Promise<boolean> {
  return (await findLocalFile(queryOf(workflow, name, process.cwd()))) !== undefined;
}

function queryOf(workflow: string, name: string, workingFolder: string): LocalFileQuery {
  const folder = path.dirname(path.resolve(workflow));
  return {
    root: pathBelow(workingFolder, folder, path) !== undefined ? workingFolder : folder,
    folder,
    name,
  };
}
