import { get, type Route } from './router';

/** What an editor stores on the local server. The sandbox has no editor, so it stores nothing. */
export const localUserRoutes: readonly Route[] = [
  get('/users', (exchange) => exchange.answer({ storage: 'server', migrated: true })),
  get('/userdata', (exchange) => {
    if (exchange.query.has('dir')) exchange.answerEmpty(404);
    else exchange.answerText(400, 'Directory not provided');
  }),
  get('/userdata/:file', (exchange) => exchange.answerEmpty(404)),
];
