import { operationSettings } from '@flamegate/api/settings'
import { accountSettings, keylessSettings, oauthSettings } from '@flamegate/gateway/settings'
import {
  limitSettings,
  listSetting,
  masterKeySettings,
  notificationSettings,
  publicUrlSetting,
  retentionSettings,
  serverSettings,
  storageSettings,
  targetSettings,
} from '@flamegate/runtime'
import { z } from 'zod'

/** Settings of everything together: what `npm start` runs. All of them may be left out. */
export const platformConfig = z.object({
  ...serverSettings(4170),
  // Quieter than a service: a person watches the terminal, and one line per request tells them nothing.
  FLAMEGATE_LOG_LEVEL: serverSettings(4170).FLAMEGATE_LOG_LEVEL.default('warn'),
  FLAMEGATE_DATA_DIR: z
    .string()
    .default('.flamegate')
    .describe('Folder for the built-in database, uploads and secrets; created on the first start.'),
  FLAMEGATE_PUBLIC_URL: publicUrlSetting.optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, hostname: /.*/ })
    .optional()
    .describe(
      'An own PostgreSQL 17 or later instead of the built-in one, as a role that may create roles and databases.',
    )
    .meta({ secret: true, kind: 'a postgres:// URL' }),
  ...masterKeySettings,
  // A file in the data directory, made on the first start, when no other is said.
  FLAMEGATE_KEY_PROVIDER: masterKeySettings.FLAMEGATE_KEY_PROVIDER.default('file'),
  ...limitSettings,
  ...storageSettings,
  FLAMEGATE_STORAGE_ORIGINS: listSetting
    .describe(
      'Origins of the object storage that the pages upload to; that of the bucket’s links when left out.',
    )
    .meta({ kind: 'a list, comma-separated' }),
  ...retentionSettings,
  ...notificationSettings,
  // Whoever starts this for themselves loads what runs beside it, and nothing of the network around it.
  FLAMEGATE_TARGETS_ALLOWED: targetSettings.FLAMEGATE_TARGETS_ALLOWED.default([
    'localhost',
    '127.0.0.0/8',
    '::1',
  ]),
  ...operationSettings,
  ...oauthSettings,
  ...accountSettings,
  ...keylessSettings,
})

export type PlatformConfig = z.output<typeof platformConfig>
