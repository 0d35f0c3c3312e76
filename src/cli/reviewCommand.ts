import { packRating } from '../core/registry/packCard';
import { RegistryClient } from '../core/registry/registryClient';
import { t } from '../core/safety/localize';
import { CommandProblem, readApiKey } from './commandProblem';
import type { Arguments } from './commandArguments';
import { type CommandContext, exitCodes, plainTerminalLine } from './terminal';

/** Reviews a node pack with one request; returns the exit code. */
export async function reviewCommand(
  { id, stars, server, keyEnv }: Arguments<'review'>,
  { terminal, http, secrets }: CommandContext,
): Promise<number> {
  const value = readApiKey(keyEnv, terminal);
  const reviewToken = () =>
    Promise.resolve(value === undefined ? undefined : { kind: 'bearer' as const, value });
  const client = new RegistryClient({ baseUrl: server, http: await http(), reviewToken, secrets });
  const answer = await client.review(id, stars);
  if (answer.kind === 'refused') {
    const nextAction = answer.isBare
      ? t`Specify the environment variable that contains it with --key-env.`
      : answer.nextAction;
    throw new CommandProblem(answer.message, nextAction);
  }
  const rating = packRating(answer.pack);
  const name = plainTerminalLine(answer.pack.name ?? id);
  terminal.out(
    `${rating === undefined ? t`${name} was reviewed.` : t`${name} was reviewed. It now has ${rating.toFixed(1)} stars.`}\n`,
  );
  return exitCodes.done;
}
