import { spawn } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { AlreadyRunning, acquireInstanceLock } from './instance-lock.ts'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'flamegate lock '))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

test('the second one is refused, with the process id of the first and what to do', async () => {
  const lock = await acquireInstanceLock(dir)
  await expect(acquireInstanceLock(dir)).rejects.toThrow(
    new AlreadyRunning(
      `Flamegate already runs on ${dir} as process ${process.pid}. Use that one, stop it (kill ${process.pid}), ` +
        'or choose another folder with FLAMEGATE_DATA_DIR and another port with FLAMEGATE_PORT.',
    ),
  )
  await lock.release()
  await (await acquireInstanceLock(dir)).release()
  expect(await readdir(dir)).toEqual(['instance.lock.2'])
})

test('the directory is created, for us alone', async () => {
  const deep = join(dir, 'a', 'b')
  await acquireInstanceLock(deep)
  expect((await stat(deep)).mode & 0o777).toBe(0o700)
})

test('of many that start at once exactly one gets it', async () => {
  for (let round = 1; round <= 20; round += 1) {
    // A lock that nobody holds makes it harder: all of them try to take it over.
    await writeFile(
      join(dir, `instance.lock.${round * 100}`),
      JSON.stringify({ pid: 999_999_999, startedAt: '1' }),
    )
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => acquireInstanceLock(dir)))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  }
})

test('processes that come and go in a hurry are never there together', async () => {
  let holders = 0
  let most = 0
  let turns = 0
  const comeAndGo = async () => {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const lock = await acquireInstanceLock(dir).catch(() => undefined)
      if (!lock) continue
      holders += 1
      turns += 1
      most = Math.max(most, holders)
      await setImmediate()
      holders -= 1
      await lock.release()
    }
  }
  await Promise.all(Array.from({ length: 8 }, comeAndGo))
  expect(turns).toBeGreaterThan(5)
  expect(most).toBe(1)
})

test.each([
  ['of a process that has ended', JSON.stringify({ pid: 999_999_999, startedAt: '1' })],
  ['of an earlier process with our number', JSON.stringify({ pid: process.pid, startedAt: '1' })],
  ['that is damaged', '{"pid":'],
  ['that is empty', ''],
])('a lock %s is taken over', async (_kind, text) => {
  await writeFile(join(dir, 'instance.lock.7'), text)
  await acquireInstanceLock(dir)
  expect(await readFile(join(dir, 'instance.lock.8'), 'utf8')).toContain(`"pid":${process.pid}`)
})

test('a lock whose owner was killed with -9 is taken over', async () => {
  const script = `
    import { acquireInstanceLock } from ${JSON.stringify(import.meta.resolve('./instance-lock.ts'))}
    await acquireInstanceLock(${JSON.stringify(dir)})
    console.log('locked')
    setInterval(() => {}, 1000)
  `
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void owner.kill('SIGKILL'))
  await new Promise((resolve) => owner.stdout.once('data', resolve))
  await expect(acquireInstanceLock(dir)).rejects.toThrow(`as process ${owner.pid}`)
  owner.kill('SIGKILL')
  await new Promise((resolve) => owner.once('exit', resolve))
  await acquireInstanceLock(dir)
})
