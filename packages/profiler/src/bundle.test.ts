import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)

test('what is published is one file, which imports nothing but Node.js, and what Node.js 20 has of it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'profiler-bundle-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'index.mjs')
  const cwd = path.join(import.meta.dirname, '..')
  const { scripts }: { scripts: { prepack: string } } = JSON.parse(
    await readFile(path.join(cwd, 'package.json'), 'utf8'),
  )
  const [bundling = ''] = scripts.prepack.split(' && ')
  const [tool = '', ...args] = bundling.replace('dist/index.js', file).split(' ')
  await run(path.join(cwd, 'node_modules/.bin', tool), args, { cwd })
  const code = await readFile(file, 'utf8')
  const imported = [...code.matchAll(/^(?:import|export)\b.*? from "([^"]+)";$/gm)].map(([, name]) => name)
  expect(imported).toContain('node:inspector')
  expect(imported.filter((name) => name?.startsWith('node:') === false)).toEqual([])
  // Of Node.js 22.
  expect(code).not.toContain('zstd')
  const script = `const library = await import(${JSON.stringify(file)}); console.log(Object.keys(library).join())`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout.trim().split(',')).toEqual(
    expect.arrayContaining([
      'BottleneckDetector',
      'OptimizationEngine',
      'instrumentMcpServer',
      'startProfiler',
    ]),
  )
})
