import type { OutputFolder } from '../outputs/outputFolder';
import type { SavedOutput } from '../outputs/savedOutput';
import { mediaKind } from '../protocol/outputRecord';
import type { RunRecord } from './runRecord';

/** The outputs of a run that are on disk by its record in that folder. */
export function savedOutputsOf({ files }: Pick<RunRecord, 'files'>, folder: OutputFolder): SavedOutput[] {
  return files.map(({ name, node: nodeId, area, original, facts, asset, bytes, sha256 }) => {
    const slash = original.lastIndexOf('/');
    const [subfolder, filename] = [original.slice(0, Math.max(0, slash)), original.slice(slash + 1)];
    const media = mediaKind(filename, undefined, '');
    const file = { filename, subfolder, area, nodeId, media, facts, asset };
    return { file, name, location: folder.location(name), bytes, sha256 };
  });
}
