import type { Exchange } from '../http/exchange';
import type { SandboxServer } from '../sandboxServer';

/** A token that the sandbox refuses; every other token is a different reviewer. */
const refusedToken = 'expired-token';

/**
 * `POST /nodes/{id}/reviews?star=N` with every oddity of the real one (protocol 6.1): a bare 400 for other numbers,
 * and 500 both for an unknown pack and for a second review.
 */
export function reviewPack(exchange: Exchange, server: SandboxServer): void {
  const isStrict = server.dialect === 'documented';
  // The contract asks for no credential; the real registry does.
  const token = isStrict ? (exchange.header('authorization') ?? '') : bearerToken(exchange);
  if (token === undefined) return;
  const star = exchange.query.get('star') ?? '';
  if (!/^-?\d+$/.test(star)) {
    if (isStrict) {
      exchange.answerEmpty(400);
      return;
    }
    const message = `Invalid format for parameter star: query parameter 'star' is ${star === '' ? 'required' : 'no integer'}`;
    exchange.answerJson(400, { message });
    return;
  }
  const stars = Number(star);
  if (stars < 1 || stars > 5) {
    exchange.answerEmpty(400);
    return;
  }
  const id = exchange.param('id');
  const problem = server.packs.review(id, token, stars);
  const pack = server.packs.pack(id);
  if (problem === 'noSuchPack' && isStrict) {
    exchange.answerJson(404, { message: 'Node version not found', details: [id] });
  } else if (problem === undefined && pack) exchange.answer(server.packs.told(pack));
  else {
    const message =
      problem === 'alreadyReviewed'
        ? 'failed to create review: constraint failed: duplicate key (node_id, user_id)'
        : 'Failed to review node';
    exchange.answerJson(500, { error: 'Internal Server Error', message });
  }
}

/** The token of the request; answers the request and returns undefined if there is no usable token. */
function bearerToken(exchange: Exchange): string | undefined {
  const header = exchange.header('authorization');
  const token = /^Bearer (\S+)$/.exec(header ?? '')?.[1];
  if (token !== undefined && token !== refusedToken) return token;
  const message =
    header === undefined
      ? `missing auth token for path: ${exchange.path}`
      : token === undefined
        ? 'token is not in Bearer format'
        : 'invalid auth token';
  exchange.answerJson(401, { message });
  return undefined;
}
