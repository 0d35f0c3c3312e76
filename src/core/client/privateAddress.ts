import { isPrivateHost } from '../safety/privateHost';

/** The address belongs to this machine or to a network that the internet does not see, or is none. */
export function isPrivate(url: string): boolean {
  return !URL.canParse(url) || isPrivateHost(new URL(url).hostname);
}
