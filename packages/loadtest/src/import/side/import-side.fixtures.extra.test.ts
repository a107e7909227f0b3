import { expect, test } from 'vitest'
import { fixture, fixturePaths } from '../../testing/fixtures.ts'
import { importText } from '../../testing/import-context.ts'
import { countOutcomes } from '../report.ts'
import { importSide } from './import-side.ts'

const paths = fixturePaths('selenium-side')

test.runIf(paths.length > 0).each(paths)(
  '%s has each test, suite and command in the report',
  async (path) => {
    const bytes = fixture(path)
    const { report, virtualUsers } = await importText(importSide, bytes)
    const text = new TextDecoder().decode(bytes)
    const commands = text.match(/"command":/g)?.length ?? 0
    const tests = text.match(/"commands":/g)?.length ?? 0
    const suites = text.match(/"parallel":/g)?.length ?? 0
    expect(virtualUsers).toHaveLength(tests)
    const { read, mapped, approximated, dropped } = countOutcomes(report)
    expect(read).toBe(commands + tests + suites)
    expect(mapped + approximated + dropped).toBe(read)
  },
)

const hasFlow = paths.includes('selenium-side/control-flow.side')
test.runIf(hasFlow)('nothing of the project with control flow is lost', async () => {
  const { report } = await importText(importSide, fixture('selenium-side/control-flow.side'))
  expect(countOutcomes(report)).toEqual({ read: 31, mapped: 30, approximated: 1, dropped: 0 })
})
