import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface StubPrograms {
  /** Working directory, with nothing in it. */
  folder: string
  /** The PATH on which the programs are found, before all others. */
  path: string
  /** The command lines with which they were called, in order. */
  calls(): Promise<string[]>
}

/** Programs by name with the shell script that each is; `$*` is noted before it runs. */
export async function stubPrograms(scripts: Readonly<Record<string, string>>): Promise<StubPrograms> {
  const root = await mkdtemp(join(tmpdir(), 'flamegate-stubs-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const [bin, folder, log] = [join(root, 'bin'), join(root, 'work'), join(root, 'log')]
  await mkdir(bin)
  await mkdir(folder)
  await Promise.all(
    Object.entries(scripts).map(async ([name, script]) => {
      const path = join(bin, name)
      await writeFile(path, `#!/bin/sh\necho "${name} $*" >> ${log}\n${script}\n`)
      await chmod(path, 0o755)
    }),
  )
  return {
    folder,
    path: `${bin}:${process.env['PATH']}`,
    calls: async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(0, -1),
  }
}
