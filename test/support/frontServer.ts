import { loopback, type Loopback } from './loopback';

/**
 * A server in front of another one, which opens no socket.
 * @param change changes the text of an answer, by the path of its request
 */
export function frontServer(
  behind: string,
  change: (path: string, text: string) => string = (_path, text) => text,
): Promise<Loopback> {
  return loopback({
    upgrade: () => 401,
    answer: async ({ method, target, path, headers, body }, response) => {
      const type = headers['content-type'] ?? 'text/plain';
      const sent = body === '' ? {} : { body, headers: { 'Content-Type': type } };
      const answer = await fetch(`${behind}${target}`, { method, ...sent });
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
      response.end(change(path, await answer.text()));
    },
  });
}
