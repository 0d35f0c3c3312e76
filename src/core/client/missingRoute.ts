import { parsePythonJson } from '../json/boundedJson';

/** The endpoint itself answers with a JSON object, the router with text, a page or nothing (protocol 4.3). */
export function isMissingRoute(answer: { readonly status: number; readonly text: string }): boolean {
  if (answer.status !== 404 && answer.status !== 405) return false;
  try {
    const body = parsePythonJson(answer.text);
    return typeof body !== 'object' || body === null;
  } catch {
    return true;
  }
}
