import type { InstalledPack } from '../../protocol/managerAnswers';
import type { RegistryNodeVersion } from '../../protocol/registry/registryNode';
import type { Transport } from '../transport';
import { installPackVersion, type InstallOptions, type PackVersion } from './installPack';
import { findManager, type NodeManager, readManagerVersions } from './managerRequests';
import { restartByManager, type RestartOptions } from './restartServer';

export class NodeManagerClient {
  constructor(
    private readonly transport: Transport,
    private readonly clientId: string,
  ) {}

  /** Asks each time, because packs are added and removed with restarts. */
  find(signal?: AbortSignal): Promise<NodeManager | undefined> {
    return findManager(this.transport, signal);
  }

  /** The versions that the manager would install under this ID; undefined if it doesn't report them. */
  versions(
    manager: NodeManager,
    id: string,
    signal?: AbortSignal,
  ): Promise<readonly RegistryNodeVersion[] | undefined> {
    return readManagerVersions(this.transport, manager, id, signal);
  }

  install(manager: NodeManager, pack: PackVersion, options: InstallOptions): Promise<InstalledPack> {
    return installPackVersion(this.transport, manager, pack, { clientId: this.clientId, ...options });
  }

  restart(manager: NodeManager, options: RestartOptions): Promise<void> {
    return restartByManager(this.transport, manager, options);
  }
}
