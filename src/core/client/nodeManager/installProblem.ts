import { t } from '../../safety/localize';
import { withoutEnd } from '../../safety/ends';
import { plainText } from '../../safety/plainText';
import { installLine } from './installLine';

export type InstallProblemReason =
  'forbidden' | 'unknownPack' | 'busy' | 'failed' | 'unanswered' | 'notRestarted' | 'tooOld' | 'badRequest';

/** Why ComfyUI-Manager did not do what it was asked: one sentence, and what to do. */
export class InstallProblem extends Error {
  override readonly name = 'InstallProblem';

  constructor(
    readonly reason: InstallProblemReason,
    message: string,
    readonly nextAction: string,
  ) {
    super(message);
  }
}

const longestWords = 300;

/** The manager's message inside one of our sentences: plain, short, without a final period. */
function quoted(words: string | undefined): string {
  const text = withoutEnd(plainText(words ?? '', 'one line', longestWords).trim(), '.');
  return text === '' ? '' : `: ${text}`;
}

export function forbiddenInstall(id: string): InstallProblem {
  return new InstallProblem(
    'forbidden',
    t`The security level of the server's ComfyUI-Manager doesn't allow installing ${id}.`,
    t`Lower security_level in ComfyUI-Manager's config.ini and restart the server. Version 4 also requires the server to listen only on localhost.` +
      byHand(id),
  );
}

export function unknownToManager(id: string, words?: string): InstallProblem {
  return new InstallProblem(
    'unknownPack',
    t`ComfyUI-Manager on the server doesn't have this version of ${id}${quoted(words)}.`,
    t`Update ComfyUI-Manager, or choose another version.` + byHand(id),
  );
}

export function failedInstall(id: string, words?: string): InstallProblem {
  return new InstallProblem(
    'failed',
    t`ComfyUI-Manager on the server couldn't install ${id}${quoted(words)}.`,
    t`Check the server log for the reason.`,
  );
}

export function busyManager(): InstallProblem {
  return new InstallProblem(
    'busy',
    t`The server's ComfyUI-Manager has other tasks in its queue.`,
    t`Wait for them to finish, or check its queue in the ComfyUI editor, then try again.`,
  );
}

/** The manager is too old, or has the older interface, which takes installs by other requests. */
export function tooOldManager({
  version,
  takes,
}: {
  readonly version: string;
  readonly takes: string;
}): InstallProblem {
  return new InstallProblem(
    'tooOld',
    t`The server's ComfyUI-Manager ${version} doesn't support this.`,
    takes === 'task'
      ? t`Update ComfyUI-Manager to version 4.2.1 or later, and start ComfyUI without --enable-manager-legacy-ui.`
      : t`Update ComfyUI-Manager to version 3.40 or later.`,
  );
}

function byHand(id: string): string {
  const line = installLine(id);
  return line === undefined ? '' : ` ${t`Or run on the server's machine: ${line}`}`;
}
