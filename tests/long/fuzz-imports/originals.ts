import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeArchive } from '../../../packages/loadtest/src/archive/write-archive.ts'
import { exportJmx } from '../../../packages/loadtest/src/export/jmx/export-jmx.ts'
import { importers } from '../../../packages/loadtest/src/import/importers.ts'
import { fixture, fixturePaths } from '../../../packages/loadtest/src/testing/fixtures.ts'
import {
  shopCurl,
  shopJmx,
  shopOpenApi,
  shopPlaywright,
  shopPlaywrightPython,
  shopPostman,
  shopSide,
  shopUrls,
} from '../../system/sample-shop/shop-sources.ts'
import { Originals } from '../fuzzing/originals.ts'
import { everything } from './everything.ts'
import { writtenSources } from './written-sources.ts'

/** Larger files take longer to read and are not more different inside. */
const originalBytesMax = 100_000
const shopUrl = 'http://127.0.0.1:8080'
/** Folders of fixtures that are not named as the format is. */
const folders: Readonly<Record<string, string>> = { side: 'selenium-side' }

/** Sources by format: the sample shop as other tools drive it, some with more in them, and small ones of `FLAMEGATE_FIXTURES`. */
export function importOriginals(): Originals {
  const own = ownSources()
  return new Originals(
    new Map(
      [...importers.keys()].map((format) => [
        format,
        [
          ...[...(own.get(format) ?? []), ...(writtenSources[format] ?? [])].map((source) =>
            Buffer.from(source),
          ),
          ...fixturePaths(folders[format] ?? format)
            .map(fixture)
            .filter(({ length }) => length > 0 && length <= originalBytesMax),
        ],
      ]),
    ),
  )
}

function ownSources(): ReadonlyMap<string, readonly (string | Uint8Array)[]> {
  const [user] = everything.virtualUsers
  if (user === undefined) throw new Error('There is a virtual user')
  const servers = new Map(everything.servers.map(({ id, document }) => [id, document]))
  const variables = everything.variables.map(({ document }) => document)
  return new Map<string, readonly (string | Uint8Array)[]>([
    ['archive', [writeArchive(everything)]],
    ['curl', [shopCurl(shopUrl)]],
    // Recorded by `recordShopHar`, and kept, because no two recordings are the same.
    ['har', [readFileSync(join(import.meta.dirname, 'samples/shop.har'))]],
    ['jmx', [shopJmx(shopUrl), exportJmx(user.document, servers, variables).text]],
    ['openapi', [shopOpenApi(shopUrl)]],
    ['playwright', [shopPlaywright(shopUrl), shopPlaywrightPython(shopUrl)]],
    ['postman', [shopPostman(shopUrl)]],
    ['side', [shopSide(shopUrl)]],
    ['urls', [shopUrls(shopUrl)]],
  ])
}
