import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Terminal } from '../terminal.ts'
import type { FileToUpload } from '../upload/upload-all.ts'
import { openFile } from '../upload/upload-file.ts'
import { collectResults } from './collect-results.ts'
import { prepareCommand } from './prepare-command.ts'
import { runCommand } from './run-command.ts'

export interface MeasuredProcess {
  exitCode: number
  /** What it left behind; nothing when it failed. */
  files: FileToUpload[]
}

/** What is measured, in whichever folder. */
export interface MeasuredCommand {
  command: readonly [program: string, ...args: string[]]
  /** Names and patterns of the files that it writes, where somebody named them. */
  asked: readonly string[]
  terminal: Pick<Terminal, 'env' | 'cwd' | 'passOn' | 'writeError'>
  interruption: AbortSignal
  /** Times of the files that its processes wrote so far, by path. */
  taken: Map<string, number>
}

/**
 * Runs a command once in the folder `cwd`, and finds what it wrote, in `folder` or elsewhere.
 * @throws UsageError when it cannot be started, or wrote nothing
 */
export async function measureProcess(
  { command, asked, terminal, interruption, taken }: MeasuredCommand,
  { cwd, folder }: { cwd: string; folder: string },
): Promise<MeasuredProcess> {
  const env: Terminal['env'] = { ...terminal.env, PWD: cwd }
  const prepared = prepareCommand(command, { folder, cwd, env })
  const startedAtMs = Date.now()
  const { exitCode, stdout } = await runCommand(prepared.command, {
    cwd,
    env: { ...env, ...prepared.env },
    passOn: (bytes) => terminal.passOn(bytes),
    interruption,
  })
  if (exitCode !== 0) return { exitCode, files: [] }
  const files = await collectResults({
    cwd,
    startedAtMs,
    asked,
    expected: prepared.files,
    profileFolder: env['CODSPEED_PROFILE_FOLDER'] || undefined,
    stdout,
    taken,
  })
  return { exitCode, files }
}

/** Copies files to where the next process does not write. */
export async function keepFiles(files: readonly FileToUpload[], folder: string): Promise<FileToUpload[]> {
  return Promise.all(
    files.map(async ({ file, name, kind }) => {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await (file.path === undefined ? writeFile(path, await file.read()) : copyFile(file.path, path))
      return { file: await openFile(path, name), name, kind }
    }),
  )
}
