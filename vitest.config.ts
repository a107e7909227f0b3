import { defineConfig } from 'vitest/config'

// Two projects: `unit` (pure, parallel) and `system` (one real platform, booted once, with a real browser).
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'tests/unit/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'system',
          include: ['tests/system/**/*.test.ts'],
          globalSetup: 'tests/system/global-setup.ts',
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
