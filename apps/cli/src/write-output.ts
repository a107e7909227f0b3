import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

/** Writes what `--output` names, from the working directory. @throws UsageError when it cannot be written */
export async function writeOutput(cwd: string, output: string, content: string | Uint8Array): Promise<void> {
  await writeFile(resolve(cwd, output), content).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'why is not known'
    throw new UsageError(`${output} cannot be written: ${reason}`)
  })
}
