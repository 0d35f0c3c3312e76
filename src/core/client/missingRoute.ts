import { parsePythonJson } from '../json/boundedJson';

/**
 * A 404 or 405 of a server without such a route, distinguished from "no such job" by the body (protocol 4.3): the
 * endpoint itself answers with a JSON object, the router with text, a page or nothing.
 */
export function isMissingRoute(answer: { readonly status: number; readonly text: string }): boolean {
  if (answer.status !== 404 && answer.status !== 405) return false;
  try {
    const body = parsePythonJson(answer.text);
    return typeof body !== 'object' || body === null;
  } catch {
    return true;
  }
}
