import type { PackLinks } from './packHover';
import { packAddress, type PackCard } from '../../core/registry/packCard';
import { commands, type CommandId } from '../platform/contributions';

/** Commands that links in pack pages may run. */
export const pageCommands: readonly CommandId[] = [
  commands.showPack,
  commands.reviewPack,
  commands.copyInstall,
  commands.installPack,
];

/** A link that runs a command with one string argument. */
export function commandLink(command: CommandId, argument: string): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`;
}

export function packLinks(card: PackCard, baseUrl: string): PackLinks {
  return {
    page: commandLink(commands.showPack, card.id),
    review: commandLink(commands.reviewPack, card.id),
    copyInstall: commandLink(commands.copyInstall, card.id),
    web: packAddress(card, baseUrl),
  };
}
