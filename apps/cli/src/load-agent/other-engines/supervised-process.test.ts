import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SupervisedProcess } from './supervised-process.ts'

async function started(script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-supervised-'))
  const run = new SupervisedProcess('/bin/sh', ['-c', script, 'sh'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', GREETING: 'hello' },
  })
  onTestFinished(async () => {
    run.kill()
    await run.done
    await rm(folder, { recursive: true })
  })
  return { run, folder }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The number that it wrote, once it has. */
async function pidIn(file: string): Promise<number> {
  return vi.waitUntil(async () => Number(await readFile(file, 'utf8').catch(() => '')) || undefined, {
    timeout: 15_000,
  })
}

test('it runs with the environment that it is given, and tells what it says', async () => {
  const { run } = await started('env | sort; echo oops >&2; exit 7')
  const [out, said] = await Promise.all([text(run.stdout), text(run.stderr)])
  expect(await run.done).toEqual({ exitCode: 7, wasStopped: false })
  expect(out).toContain('GREETING=hello')
  expect(out).not.toContain('FLAMEGATE')
  expect(out).not.toContain('VITEST')
  expect(said).toBe('oops\n')
})

test('a program that ends by itself takes with it what it started', async () => {
  const { run, folder } = await started('sleep 600 & echo $! > child; exit 0')
  run.stdout.resume()
  expect(await run.done).toEqual({ exitCode: 0, wasStopped: false })
  const child = await pidIn(join(folder, 'child'))
  await vi.waitUntil(() => !isThere(child), { timeout: 15_000 })
})

test('one that does not listen is killed, with what it started', async () => {
  const { run, folder } = await started("trap '' TERM; sleep 600 & echo $! > child; wait; sleep 600")
  run.stdout.resume()
  const child = await pidIn(join(folder, 'child'))
  run.stop()
  expect(await run.done).toEqual({ exitCode: null, wasStopped: true })
  await vi.waitUntil(() => !isThere(child), { timeout: 15_000 })
})

test('when the process that started it is killed, it ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-supervised-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const module = new URL('supervised-process.ts', import.meta.url).href
  const source = `import { SupervisedProcess } from ${JSON.stringify(module)}
    new SupervisedProcess('/bin/sh', ['-c', "trap '' TERM; echo $$ > own; while :; do sleep 1; done"], { cwd: ${JSON.stringify(folder)}, env: process.env })`
  const agent = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' })
  onTestFinished(() => void agent.kill('SIGKILL'))
  const own = await pidIn(join(folder, 'own'))
  expect(isThere(own)).toBe(true)
  agent.kill('SIGKILL')
  await once(agent, 'exit')
  await vi.waitUntil(() => !isThere(own), { timeout: 15_000 })
})
