import {
  databaseSettings,
  limitSettings,
  listOf,
  listSetting,
  masterKeySettings,
  publicUrlSetting,
  serverSettings,
  targetSettings,
} from '@flamegate/runtime'
import { z } from 'zod'
import { accountSettings } from './accounts/account-settings.ts'
import { keylessSettings } from './keyless/keyless-settings.ts'
import { oauthSettings } from './oauth/oauth-settings.ts'

const kind = 'a list, comma-separated'

function isHostName(entry: string): boolean {
  return URL.parse(`http://${entry}`)?.hostname === entry.toLowerCase()
}

function isOrigin(entry: string): boolean {
  return URL.parse(entry)?.origin === entry
}

/** What the gateway can be told wherever it runs. */
export const gatewaySettings = {
  FLAMEGATE_ALLOWED_HOSTS: listOf(isHostName, 'host name: it is written without https:// and without a path')
    .describe('Host names besides that of the public URL by which MCP clients may call.')
    .meta({ kind }),
  FLAMEGATE_ALLOWED_ORIGINS: listOf(isOrigin, 'origin, such as https://app.example.com')
    .describe('Origins of pages elsewhere that may call MCP from a browser, such as http://localhost:6274.')
    .meta({ kind }),
  FLAMEGATE_STORAGE_ORIGINS: listSetting
    .describe('Origins of the object storage that the pages upload to.')
    .meta({ kind }),
  FLAMEGATE_WEB_DIR: z.string().optional().describe('Folder of the built web UI; no pages when left out.'),
  FLAMEGATE_DOCS_DIR: z
    .string()
    .optional()
    .describe('Folder of the built documentation, for `/docs`; a page that says so when left out.'),
}

/** Settings of the gateway when it runs as a process of its own. */
export const gatewayConfig = z.object({
  ...serverSettings(4170),
  FLAMEGATE_PUBLIC_URL: publicUrlSetting,
  FLAMEGATE_DATABASE_AUTH_URL: databaseSettings.FLAMEGATE_DATABASE_AUTH_URL,
  FLAMEGATE_DATABASE_POOL: databaseSettings.FLAMEGATE_DATABASE_POOL,
  ...masterKeySettings,
  FLAMEGATE_API_URL: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .default('http://127.0.0.1:4171')
    .describe('Where this process reaches the API. Nobody else should: it believes what the gateway says.')
    .meta({ kind: 'a URL' }),
  ...limitSettings,
  ...targetSettings,
  ...gatewaySettings,
  ...oauthSettings,
  ...accountSettings,
  ...keylessSettings,
})
