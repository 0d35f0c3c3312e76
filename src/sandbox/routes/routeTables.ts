import type { Dialect } from '../dialect';
import type { Route } from '../http/router';
import { managerRoutes } from '../manager/managerRoutes';
import { musicRoutes } from '../music/musicRoutes';
import { registryRoutes } from '../registry/registryRoutes';
import { cloudJobRoutes, jobStatusRoutes } from './cloudJobRoutes';
import { faultRoutes } from './faultRoutes';
import { cloudHistoryRoutes, localHistoryRoutes } from './historyRoutes';
import { cloudInfoRoutes, definitionRoutes, localInfoRoutes, newLocalInfoRoutes } from './infoRoutes';
import { localJobRoutes } from './localJobRoutes';
import { localModelRoutes, modelRoutes } from './modelRoutes';
import { promptRoutes, submissionRoutes } from './promptRoutes';
import { queueRoutes } from './queueRoutes';
import { uploadRoutes } from './uploadRoutes';
import { localUserRoutes } from './userRoutes';
import { cloudViewRoutes, localViewRoutes } from './viewRoutes';

const shared = [
  ...faultRoutes,
  ...promptRoutes,
  ...queueRoutes,
  ...uploadRoutes,
  ...registryRoutes,
  ...musicRoutes,
];

const oldLocal = [
  ...shared,
  ...localHistoryRoutes,
  ...localViewRoutes,
  ...localInfoRoutes,
  ...localModelRoutes,
  ...localUserRoutes,
  ...managerRoutes,
];

/** Every route of each dialect. */
export const routeTables: Readonly<Record<Dialect, readonly Route[]>> = {
  cloud: [
    ...shared,
    ...cloudJobRoutes,
    ...cloudHistoryRoutes,
    ...cloudViewRoutes,
    ...cloudInfoRoutes,
    ...modelRoutes,
  ],
  // Exactly what is documented: no job list, no history, and nothing that identifies the server.
  documented: [
    ...faultRoutes,
    ...submissionRoutes,
    ...queueRoutes,
    ...uploadRoutes,
    ...registryRoutes,
    ...musicRoutes,
    ...jobStatusRoutes,
    ...cloudViewRoutes,
    ...definitionRoutes,
  ],
  local: [...oldLocal, ...localJobRoutes, ...newLocalInfoRoutes],
  'local-old': oldLocal,
};
