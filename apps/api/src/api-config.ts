import {
  databaseSettings,
  publicUrlSetting,
  queueSettings,
  serverSettings,
  storageSettings,
} from '@flamegate/runtime'
import { z } from 'zod'

/** Settings of the API when it runs as a process of its own. */
export const apiConfig = z.object({
  ...serverSettings(4171),
  FLAMEGATE_PUBLIC_URL: publicUrlSetting,
  ...databaseSettings,
  ...queueSettings,
  ...storageSettings,
})
