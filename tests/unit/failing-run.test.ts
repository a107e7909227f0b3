import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

// The package that brings PostgreSQL once ended the process with 0, whatever had been found, when it was done.
test('a run with a failing test ends with 1, also after its PostgreSQL server was stopped', () => {
  const folder = mkdtempSync(join(root, 'test-artifacts-'))
  try {
    writeFileSync(
      join(folder, 'fails.test.mjs'),
      "import { expect, test } from 'vitest'\ntest('fails', () => expect(1).toBe(2))\n",
    )
    const testServer = join(root, 'packages/db/src/test-server.ts')
    writeFileSync(
      join(folder, 'server.mjs'),
      `import { startTestServer } from ${JSON.stringify(testServer)}\n` +
        'export default async () => (await startTestServer()).stop\n',
    )
    writeFileSync(
      join(folder, 'vitest.config.mjs'),
      "export default { test: { include: ['*.test.mjs'], globalSetup: 'server.mjs' } }\n",
    )
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder],
      { encoding: 'utf8', env: { ...process.env, VITEST: undefined } },
    )
    expect(stdout).toContain('1 failed')
    expect(status).toBe(1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
