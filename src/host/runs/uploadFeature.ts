import * as vscode from 'vscode';
import type { RunSession } from '../../core/runLife/runSession';
import { registerCommand } from '../platform/commandRegistry';
import { commands } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import type { Servers } from '../servers/servers';

/** Uploads by command, independent of runs. */
export class UploadFeature implements Feature {
  /** @param readySession a session of the selected server, after asking for what is missing */
  constructor(
    private readonly log: Log,
    private readonly servers: Servers,
    private readonly readySession: () => Promise<RunSession | undefined>,
  ) {}

  register(context: vscode.ExtensionContext): void {
    context.subscriptions.push(
      registerCommand(this.log, commands.uploadMask, async (uri, offset) => {
        const { uploadMaskInto } = await import('./uploadMask');
        await uploadMaskInto(this.servers, this.readySession, {
          uri: uri instanceof vscode.Uri ? uri : undefined,
          offset: typeof offset === 'number' ? offset : undefined,
        });
      }),
    );
  }
}
