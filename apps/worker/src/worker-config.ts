import {
  databaseSettings,
  internalUrlSetting,
  limitSettings,
  logSettings,
  masterKeySettings,
  notificationSettings,
  publicUrlSetting,
  queueSettings,
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
  FLAMEGATE_BENCH_RESULT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(365)
    .describe('How long what load tests measured is kept after their end, but for baselines.'),
  FLAMEGATE_LIVE_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(8760)
    .default(24)
    .describe('How long what live apps told is kept, at most.'),
})
