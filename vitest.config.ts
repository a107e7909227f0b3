import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// As many files at once as there are processors, and never one alone, because tests wait, too.
const maxWorkers = Math.max(2, availableParallelism())

// Two projects: `unit` (pure, or on one PostgreSQL server) and `system` (one real platform, booted once, with a real
// browser). Files share processes, because to load our code takes longer than most tests: nothing may be left behind
// that another file would notice, no clock, no spy, no setting.
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
          maxWorkers,
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['tests/system/**/*.test.ts'],
          globalSetup: 'tests/system/global-setup.ts',
          // Two at a time, because a page or a process is waited for most of it. All share one platform and its limits.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
