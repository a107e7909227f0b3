import {
  databaseSettings,
  internalUrlSetting,
  limitSettings,
  logSettings,
  masterKeySettings,
  notificationSettings,
  publicUrlSetting,
  queueSettings,
  retentionSettings,
  storageSettings,
  targetSettings,
  watchedSettings,
} from '@flamegate/runtime'
import { z } from 'zod'

/** Settings of a worker when it runs as a process of its own. */
export const workerConfig = z.object({
  ...logSettings,
  ...watchedSettings,
  FLAMEGATE_PUBLIC_URL: publicUrlSetting,
  FLAMEGATE_INTERNAL_URL: internalUrlSetting,
  ...databaseSettings,
  ...masterKeySettings,
  ...queueSettings,
  ...storageSettings,
  ...notificationSettings,
  ...limitSettings,
  ...targetSettings,
  FLAMEGATE_WORKER_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(2)
    .describe('Jobs at a time in this process.'),
  ...retentionSettings,
})
