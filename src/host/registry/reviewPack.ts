import * as vscode from 'vscode';
import { mayCarryCredential } from '../../core/client/address';
import type { RegistryNode } from '../../core/protocol/registry/registryNode';
import { packRating } from '../../core/registry/packCard';
import { isAskable } from '../../core/registry/packAnswer';
import { ratingWords } from './packWords';
import type { ReviewRefusal, Stars } from '../../core/registry/review';
import { plural, t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import { commands, settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import type { Keys } from '../servers/keys';
import type { Registry } from './registries';
import { askingRegistry } from './registryProblem';
import { askToGoOn, askText, pickOne, showInformation, showProgress } from '../platform/show';
import { keyProblem } from '../servers/keys';

const mostRemembered = 500;

export interface ReviewedPack {
  readonly id: string;
  readonly name: string;
}

/** Fails if the token would be sent unencrypted: then nothing is asked or sent. */
export function requireSafeAddress(registry: Registry): void {
  if (!mayCarryCredential(registry.baseUrl)) {
    throw new UserProblem(
      shown`Reviews can't be sent to ${registry.origin}, because a review needs your token and the connection isn't encrypted.`,
      shown`Use an https address for the registry in the ${settings.registry} setting.`,
    );
  }
}

/**
 * Sends the review once, after a confirmation. Returns the pack if it was accepted.
 * @param memory which packs were reviewed from here: for a second review, the registry only says that it failed
 */
export async function reviewPack(
  registry: Registry,
  tokens: Keys,
  memory: vscode.Memento,
  pack: ReviewedPack,
): Promise<RegistryNode | undefined> {
  const key = `registry.reviewed:${registry.origin}`;
  const reviewed = memory.get<readonly string[]>(key, []);
  const wasReviewed = reviewed.includes(pack.id);
  const stars = await askStars(pack);
  if (stars === undefined) return undefined;
  if (!(await confirmed(registry, pack, stars, wasReviewed))) return undefined;
  const signIn = async (): Promise<boolean> => {
    const isRejected = (await tokens.get(registry.origin)) !== undefined;
    await tokens.delete(registry.origin);
    const token = await askToken(registry, isRejected);
    if (token !== undefined) await tokens.set(registry.origin, token);
    return token !== undefined;
  };
  const answer = await showProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: shown`Comfy Deck: sending the review of ${pack.name}`,
    },
    () => askingRegistry(() => registry.client.review(pack.id, stars, undefined, signIn)),
  );
  if (answer.kind === 'refused') {
    const isRejected = answer.reason === 'token';
    // The user was asked for a token, and gave none.
    if (isRejected && (await tokens.get(registry.origin)) === undefined) return undefined;
    if (isRejected) await tokens.delete(registry.origin);
    throw refusalProblem(answer, pack, wasReviewed);
  }
  const others = reviewed.filter((each) => each !== pack.id);
  await memory.update(key, [...others, pack.id].slice(-mostRemembered));
  tellRating(answer.pack, answer.pack.name ?? pack.name);
  return answer.pack;
}

async function askStars({ name }: ReviewedPack): Promise<Stars | undefined> {
  const picks = ([5, 4, 3, 2, 1] as const).map((stars) => ({
    stars,
    label: shown`${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}`,
    description: plural(stars, shown`1 star`, shown`${stars} stars`),
  }));
  const chosen = await pickOne(picks, {
    title: shown`Review ${name}`,
    placeHolder: shown`Select a rating`,
    matchOnDescription: true,
  });
  return chosen?.stars;
}

/** Asks for the ID of a pack: the registry may have nothing to search, or to look it up. */
export async function askPack({ isSandbox }: Registry): Promise<string | undefined> {
  const typed = await askText({
    title: isSandbox ? shown`${t`Review Node Pack`} (Sandbox Practice Registry)` : shown`Review Node Pack`,
    prompt: shown`ID of the node pack, as on its page`,
    problem: (text) => (isAskable(text.trim()) ? undefined : t`Enter the ID of a node pack.`),
  });
  return typed?.trim();
}

/** Asks for the registry's bearer token; the caller stores it. */
async function askToken({ origin, isSandbox }: Registry, isRejected: boolean): Promise<string | undefined> {
  const which = isSandbox
    ? shown`The sandbox accepts any token.`
    : shown`Use your session token from that site. It expires after about an hour.`;
  const why = isRejected ? shown`The registry rejected the token.` : undefined;
  const what = shown`Registry token for ${origin}. ${which} It is stored in VS Code's secret storage and sent only to this address, with reviews.`;
  const typed = await askText({
    title: shown`Sign In to the Node Registry`,
    prompt: Shown.join([why, what]),
    password: true,
    problem: (text) => keyProblem(bareToken(text)),
  });
  return typed === undefined ? undefined : bareToken(typed);
}

/** Accepts a token copied with its header, too. */
function bareToken(text: string): string {
  return text.trim().replace(/^Bearer\s+/i, '');
}

function confirmed(
  registry: Registry,
  { name }: ReviewedPack,
  stars: Stars,
  wasReviewed: boolean,
): Promise<boolean> {
  const before = wasReviewed
    ? shown`${t`You have already reviewed this pack.`} ${t`The registry accepts only one review per person, and it can't be changed.`}`
    : undefined;
  const warning = shown`The review is sent to ${registry.origin} from your account. It applies to all versions of the pack, and it can't be changed or withdrawn.`;
  return askToGoOn({
    message: shown`Rate ${name} ${stars} out of 5 stars?`,
    detail: Shown.join([warning, before], shown`\n\n`),
    goOn: shown`Send Review`,
  });
}

function refusalProblem(refusal: ReviewRefusal, pack: ReviewedPack, wasSent: boolean): UserProblem {
  const { reason, message, nextAction } = refusal;
  if (reason === 'maybeReviewed' && wasSent) {
    return new UserProblem(
      shown`You've probably already reviewed ${pack.name}.`,
      shown`The registry accepts only one review per person, and it can't be changed.`,
    );
  }
  const again = { label: shown`Review Again`, command: commands.reviewPack, args: [pack.id] };
  return new UserProblem(
    shown`${pack.name} wasn't reviewed. ${message}`,
    shown`${nextAction}`,
    reason === 'token' ? [again] : [],
  );
}

function tellRating(told: RegistryNode, name: string): void {
  const rating = packRating(told);
  void showInformation(
    rating === undefined
      ? shown`${name} was reviewed. The registry didn't return the new rating.`
      : shown`${name} was reviewed. It now has ${ratingWords(rating)} stars.`,
  );
}
