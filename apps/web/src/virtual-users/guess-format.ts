import type { RawInputOf, operations } from '@flamegate/contract'

export type ImportFormat = RawInputOf<typeof operations.importVirtualUser>['format']

/** How formats are called. */
export const formatNames: Readonly<Record<ImportFormat, string>> = {
  har: 'HAR, recorded by a browser',
  jmx: 'JMeter test plan',
  postman: 'Postman collection',
  playwright: 'Playwright script',
  side: 'Selenium IDE project',
  webdriver: 'WebDriver steps',
  openapi: 'OpenAPI document',
  curl: 'cURL command lines',
  urls: 'List of addresses',
  archive: 'Archive of this platform',
}

/** Bytes from the start of a file that `guessFormat` looks at. */
export const headBytes = 65_536

const endings: readonly [RegExp, ImportFormat][] = [
  [/\.har$/i, 'har'],
  [/\.jmx$/i, 'jmx'],
  [/\.side$/i, 'side'],
  [/\.zip$/i, 'archive'],
  [/\.postman_collection\.json$/i, 'postman'],
  [/\.(?:[cm]?[jt]sx?|py)$/i, 'playwright'],
]

/** What tells a format, in the order in which they are looked for: a Postman collection may have a `"log"` in a script. */
const marks: readonly [RegExp, ImportFormat][] = [
  [/^PK/, 'archive'],
  [/<jmeterTestPlan/, 'jmx'],
  [/^\s*(?:\$\s*)?curl\s/m, 'curl'],
  [/"?(?:openapi|swagger)"?\s*:\s*["']?\d/, 'openapi'],
  [/schema\.getpostman\.com|"_postman_id"/, 'postman'],
  [/^\s*\{\s*"log"\s*:/, 'har'],
  [/"tests"\s*:\s*\[[^]*"commands"/, 'side'],
  [/@playwright\/test|from playwright|page\.goto\(/, 'playwright'],
  [/^\s*(?:\{[^]*?"steps"\s*:\s*)?\[\s*\{[^}]*"(?:action|command|method)"/, 'webdriver'],
  [/^\s*(?:#.*\n\s*)*(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(?:https?:\/\/|\/)\S*/, 'urls'],
]

/** What a source seems to be, by its name and how it begins; undefined when nothing tells. */
export function guessFormat(fileName: string, head: string): ImportFormat | undefined {
  const text = head.replace(/^\u{feff}/u, '')
  return (
    endings.find(([ending]) => ending.test(fileName))?.[1] ?? marks.find(([mark]) => mark.test(text))?.[1]
  )
}
