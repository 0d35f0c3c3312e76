import type { Dialect } from '../dialect';
import type { Route } from '../http/router';
import { musicRoutes } from '../music/musicRoutes';
import { registryRoutes } from '../registry/registryRoutes';
import { cloudJobRoutes } from './cloudJobRoutes';
import { faultRoutes } from './faultRoutes';
import { cloudHistoryRoutes, localHistoryRoutes } from './historyRoutes';
import { cloudInfoRoutes, localInfoRoutes, newLocalInfoRoutes } from './infoRoutes';
import { localJobRoutes } from './localJobRoutes';
import { localModelRoutes, modelRoutes } from './modelRoutes';
import { promptRoutes } from './promptRoutes';
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
  local: [...oldLocal, ...localJobRoutes, ...newLocalInfoRoutes],
  'local-old': oldLocal,
};
