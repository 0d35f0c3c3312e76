import { parsePythonJson } from '../json/pythonJson';

/**
 * A 404 or 405 of a server that has no such route, told from "no such job" by the body (protocol 4.3): what an endpoint
 * itself says is a JSON record, what a router says is text, a page or nothing.
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
