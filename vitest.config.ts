import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// As many files at once as there are processors, and never one alone, because tests wait, too.
const maxWorkers = Math.max(2, availableParallelism())

// Two projects: `unit` (pure, or on one PostgreSQL server) and `system` (one real platform, booted once, with a real
// browser). Files share processes, because to load our code takes longer than most tests: nothing may be left behind
// that another file would notice, no clock, no spy, no setting. Times are long: what is waited for comes within moments, but
// for a machine that has much else to do.
export default defineConfig({
  test: {
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'tests/unit/**/*.test.ts',
          ],
          globalSetup: 'packages/db/src/shared-test-server.ts',
          maxWorkers: maxWorkers + 1,
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['tests/system/**/*.test.ts'],
          globalSetup: 'tests/system/global-setup.ts',
          // More than there are processors, because a page, a process or a load is waited for most of the time. All share one
          // platform and its limits.
          maxWorkers: maxWorkers + 1,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
        },
      },
    ],
  },
})
