import { importArchive } from '../archive/import-archive.ts'
import { importCurl } from './curl/import-curl.ts'
import { importHar } from './har/import-har.ts'
import type { Importer } from './importer.ts'
import { importJmx } from './jmx/import-jmx.ts'
import { importOpenApi } from './openapi/import-openapi.ts'
import { importPlaywright } from './playwright/import-playwright.ts'
import { importPostman } from './postman/import-postman.ts'
import { importSide } from './side/import-side.ts'
import { importUrls } from './urls/import-urls.ts'
import { importWebdriver } from './webdriver/import-webdriver.ts'

/** What can be imported, by the name of its format. */
export const importers: ReadonlyMap<string, Importer> = new Map([
  ['archive', importArchive],
  ['curl', importCurl],
  ['har', importHar],
  ['jmx', importJmx],
  ['openapi', importOpenApi],
  ['playwright', importPlaywright],
  ['postman', importPostman],
  ['side', importSide],
  ['urls', importUrls],
  ['webdriver', importWebdriver],
])
