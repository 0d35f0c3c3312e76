import { ratingOf } from '../core/registry/packCard';
import { RegistryClient } from '../core/registry/registryClient';
import { sentencesText, t } from '../core/safety/localize';
import type { Secrets } from '../core/safety/secrets';
import { apiKey, keyNotSet } from './apiKey';
import type { Arguments } from './commandArguments';
import type { ClosableStack } from './closableStack';
import type { Trouble } from './commandReport';
import { troubleOf } from './runWords';
import { exitCodes, plainText, type Terminal } from './terminal';

/** Reviews a node pack with one request; returns the exit code. */
export async function reviewCommand(
  { id, stars, server, keyEnv }: Arguments<'review'>,
  terminal: Terminal,
  http: ClosableStack,
  secrets: Secrets,
): Promise<number> {
  const fail = ({ message, nextAction }: Trouble, code: number): number => {
    terminal.err(`${sentencesText(plainText(message), plainText(nextAction))}\n`);
    return code;
  };
  try {
    const value = apiKey(keyEnv, terminal);
    if (keyEnv !== undefined && value === undefined) return fail(keyNotSet(keyEnv), exitCodes.usage);
    const reviewToken = () =>
      Promise.resolve(value === undefined ? undefined : { kind: 'bearer' as const, value });
    const client = new RegistryClient({ baseUrl: server, http, reviewToken, secrets });
    const answer = await client.review(id, stars);
    if (answer.kind === 'refused') {
      const nextAction = answer.isBare
        ? t`Specify the environment variable that contains it with --key-env.`
        : answer.nextAction;
      return fail({ ...answer, nextAction }, exitCodes.failed);
    }
    const rating = ratingOf(answer.pack);
    const name = plainText(answer.pack.name ?? id);
    terminal.out(
      `${rating === undefined ? t`${name} was reviewed.` : t`${name} was reviewed. It now has ${rating.toFixed(1)} stars.`}\n`,
    );
    return exitCodes.done;
  } catch (error) {
    return fail(troubleOf(error), exitCodes.failed);
  } finally {
    await http.close();
  }
}
