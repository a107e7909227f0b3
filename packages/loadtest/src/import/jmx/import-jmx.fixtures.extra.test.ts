import { expect, test } from 'vitest'
import { virtualUser } from '../../model/virtual-user.ts'
import { fixture, fixturePaths } from '../../testing/fixtures.ts'
import { importText } from '../../testing/import-context.ts'
import { exportJmx } from '../../export/jmx/export-jmx.ts'
import { countOutcomes } from '../report.ts'
import { importJmx } from './import-jmx.ts'

const isBroken = (path: string) => path.endsWith('taurus-broken.jmx')
const all = fixturePaths('jmx')
const paths = all.filter((path) => !isBroken(path))

/** Elements of a test tree: those that stand right inside of a hashTree, counted in the text. */
function countElements(xml: string): number {
  const stack: string[] = []
  let count = 0
  for (const [tag, close, name, empty] of xml.matchAll(
    /<(\/?)([A-Za-z][\w.-]*)(?:"[^"]*"|'[^']*'|[^>"'])*?(\/?)>/g,
  )) {
    expect(tag).not.toContain('CDATA')
    if (close === '/') stack.pop()
    else {
      if (stack.at(-1) === 'hashTree' && name !== 'hashTree') count++
      if (empty !== '/') stack.push(name!)
    }
  }
  return count
}

test.runIf(paths.length > 0).each(paths)(
  '%s is imported, and its report tells of each element once',
  async (path) => {
    const { virtualUsers, servers, variables, report } = await importText(importJmx, fixture(path))
    const { read, mapped, approximated, dropped } = countOutcomes(report)
    expect(read).toBe(countElements(Buffer.from(fixture(path)).toString()))
    expect(mapped + approximated + dropped).toBe(read)
    expect(report.elements.filter(({ outcome, note }) => (outcome === 'mapped') !== (note === null))).toEqual(
      [],
    )
    for (const { document } of virtualUsers) {
      expect(virtualUser.parse(document)).toEqual(document)
      // What was made of it can be told to JMeter again.
      const byId = new Map(servers.map((server) => [server.id, server.document]))
      const exported = exportJmx(
        document,
        byId,
        variables.map((variable) => variable.document),
      )
      await expect(importText(importJmx, exported.text)).resolves.toMatchObject({ virtualUsers: [{}] })
    }
  },
)

test.runIf(all.some(isBroken))('a plan that is cut off is refused', async () => {
  await expect(importText(importJmx, fixture('jmx/taurus-broken.jmx'))).rejects.toThrow(/no well-formed XML/)
})
