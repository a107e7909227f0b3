import { expect, test } from 'vitest'
import { virtualUser } from '../../model/virtual-user.ts'
import { fixture, fixturePaths } from '../../testing/fixtures.ts'
import { importedHar } from '../../testing/har.ts'
import { countOutcomes } from '../report.ts'

const paths = fixturePaths('har')

test.runIf(paths.length > 0).each(paths)(
  '%s is imported, and its report tells of each element once',
  async (path) => {
    const { log } = JSON.parse(Buffer.from(fixture(path)).toString())
    const imported = await importedHar(fixture(path))
    const { read, mapped, approximated, dropped } = countOutcomes(imported.report)
    expect(read).toBe(log.entries.length + (log.pages ?? []).length)
    expect(mapped + approximated + dropped).toBe(read)
    expect(imported.exchanges).toHaveLength(log.entries.length)
    const { document } = imported.virtualUsers[0]!
    expect(virtualUser.parse(document)).toEqual(document)
    expect(document.actions.length).toBeGreaterThan(0)
  },
)

// The ground truths of the fixtures' README.
test.runIf(paths.includes('har/correlation-shop.har'))(
  'the shop has its statuses, and its containers those of its pages',
  async () => {
    const imported = await importedHar(fixture('har/correlation-shop.har'))
    expect(imported.exchanges.map(({ response }) => response?.status)).toEqual([
      200, 200, 200, 302, 200, 200, 201, 200,
    ])
    expect(imported.actions.flatMap(({ type, name }) => (type === 'container' ? [name] : []))).toEqual([
      'Home',
      'Login',
      'Catalog',
      'Checkout',
    ])
    expect(imported.variables.map(({ document }) => [document.type, document.name])).toEqual([
      ['constant', 'username'],
      ['secret', 'password'],
    ])
  },
)
