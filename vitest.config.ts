import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { EndOfRun } from './tests/end-of-run.ts'

// More files at once than there are processors, because a page, a process or a load is waited for much of the time. Of those that
// boot platforms of their own one less.
const maxWorkers = availableParallelism() + 3

// Five projects: `measured` (what it expects was measured by the clock), `unit` (pure, or on one PostgreSQL server), `system` (one
// real platform, booted once, with a real browser), and two that are not among those of a bare `npm test`: `installation`, whose
// files each boot a platform with settings of its own, and `guides`, which does on a running one what guides and tutorials say.
// `measured` runs before all others and one file at a time, for what runs beside it would be measured, too. `unit` and `system` are
// one queue, and so are the last two: the long files of `system` begin, and the many short ones of `unit` leave no worker idle at the end.
// Files share processes, because to load our code takes longer than most tests: nothing may be left behind that another file would
// notice, no clock, no spy, no setting. Times are long: what is waited for comes within moments, but for a machine that has much
// else to do.
const patient = {
  maxWorkers: availableParallelism() + 2,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // To look is a call of the platform or of a browser, of which each takes some milliseconds of a processor.
  expect: { poll: { timeout: 90_000, interval: 100 } },
}
const measured = '{packages,apps}/*/src/**/*.measured.test.ts'
// All share one platform and its limits.
const onThePlatform = { globalSetup: 'tests/system/global-setup.ts', ...patient }

export default defineConfig({
  test: {
    isolate: false,
    reporters: ['default', new EndOfRun()],
    projects: [
      {
        extends: true,
        test: {
          name: 'measured',
          include: [measured],
          sequence: { groupOrder: 0 },
          ...patient,
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'tests/unit/**/*.test.ts',
          ],
          exclude: [measured],
          sequence: { groupOrder: 1 },
          globalSetup: 'packages/db/src/shared-test-server.ts',
          maxWorkers,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['tests/system/**/*.test.ts'],
          sequence: { groupOrder: 1 },
          ...onThePlatform,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'installation',
          include: ['tests/installation/**/*.test.ts'],
          sequence: { groupOrder: 2 },
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'guides',
          include: ['tests/guides/**/*.test.ts'],
          sequence: { groupOrder: 2 },
          ...onThePlatform,
        },
      },
    ],
  },
})
