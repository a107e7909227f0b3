import {
  databaseSettings,
  dnsSettings,
  limitSettings,
  listOf,
  masterKeySettings,
  notificationSettings,
  publicUrlSetting,
  queueSettings,
  serverSettings,
  ssoSettings,
  storageSettings,
  targetSettings,
} from '@flamegate/runtime'
import { z } from 'zod'

/** What operations can be told wherever they run. */
export const operationSettings = {
  ...dnsSettings,
  ...ssoSettings,
  FLAMEGATE_ADMINS: listOf((email) => /^[^@\s]+@[^@\s]+$/.test(email), 'e-mail address')
    .transform((emails) => emails.map((email) => email.toLowerCase()))
    .describe(
      'E-mail addresses of those who administer the installation. They sign up like others, and confirm their address.',
    )
    .meta({ kind: 'a list, comma-separated' }),
  FLAMEGATE_PUSHED_PROFILE_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .default(7)
    .describe('How long profiles that agents push are kept. It counts for those that come from then on.'),
  FLAMEGATE_VALIDATION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .default(30)
    .describe(
      'How long validations are kept, but for the latest of each virtual user. It counts for those that are begun from then on.',
    ),
}

/** Settings of the API when it runs as a process of its own. */
export const apiConfig = z.object({
  ...serverSettings(4171),
  FLAMEGATE_PUBLIC_URL: publicUrlSetting,
  ...databaseSettings,
  ...masterKeySettings,
  ...queueSettings,
  ...limitSettings,
  ...storageSettings,
  ...notificationSettings,
  ...targetSettings,
  ...operationSettings,
})
