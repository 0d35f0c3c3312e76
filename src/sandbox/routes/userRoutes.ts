import type { Route } from '../http/router';

/** What an editor keeps on the local server. The sandbox has no editor of its own: it remembers nothing. */
export const localUserRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/users',
    reach: 'both',
    handle: (exchange) => exchange.answerJson(200, { storage: 'server', migrated: true }),
  },
  {
    method: 'GET',
    path: '/userdata',
    reach: 'both',
    handle: (exchange) => {
      if (exchange.query.has('dir')) exchange.answerEmpty(404);
      else exchange.answerText(400, 'Directory not provided');
    },
  },
  { method: 'GET', path: '/userdata/:file', reach: 'both', handle: (exchange) => exchange.answerEmpty(404) },
];
