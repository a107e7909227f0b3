import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { include: ['tests/system/**/*.test.ts'], globalSetup: '/tmp/sys-setup.mjs', fileParallelism: false, testTimeout: 60_000, hookTimeout: 180_000 } })
