import type { FileToUpload } from '../upload/upload-all.ts'
import type { MeasuredBase } from '../upload/upload-pair.ts'
import { baseOf } from './base-checkout.ts'
import { measureInTurns, type Side } from './measure-in-turns.ts'
import { measureProcess, type MeasuredCommand } from './measure-process.ts'
import type { RepeatPlan } from './repeat-options.ts'
import { runCommand } from './run-command.ts'

/** What is uploaded: of head, and of base where that was measured too. */
export interface MeasuredRun {
  head: FileToUpload[]
  base: MeasuredBase | undefined
}

/** What failed, so that nothing is uploaded. */
export interface FailedRun {
  exitCode: number
  what: string
}

/**
 * Measures as planned: one process here, or several, in turns with those of the base.
 *
 * @param folder for what is kept until it is uploaded
 * @param baseCommit of a base whose commit git does not know
 * @throws UsageError
 */
export async function measureRun(
  measured: MeasuredCommand,
  { repeat, base: planned }: RepeatPlan,
  { folder, baseCommit }: { folder: string; baseCommit: string | undefined },
): Promise<MeasuredRun | FailedRun> {
  const { cwd, writeError } = measured.terminal
  if (planned === undefined && repeat === 1) {
    const { exitCode, files } = await measureProcess(measured, { cwd, folder })
    return exitCode === 0 ? { head: files, base: undefined } : { exitCode, what: 'The command' }
  }
  const base = planned && (await baseOf(planned, { cwd, folder, commitHash: baseCommit }))
  if (planned !== undefined && base === undefined) {
    writeError('HEAD is part of the base already: it is measured alone.\n')
  }
  try {
    const setUp = base && planned && 'ref' in planned ? await setUpBase(measured, base.cwd, planned.setup) : 0
    if (setUp !== 0) return { exitCode: setUp, what: 'The setup of the base' }
    const sides: Side[] = [{ name: 'head', cwd }]
    if (base !== undefined) sides.unshift({ name: 'base', cwd: base.cwd })
    const files = await measureInTurns(measured, sides, {
      repeat,
      folder,
      tell: (place) => writeError(`${place}\n`),
    })
    if ('exitCode' in files) return { exitCode: files.exitCode, what: `The command (${files.place})` }
    return {
      head: files.get('head') ?? [],
      base: base && { files: files.get('base') ?? [], commit: base.commit },
    }
  } finally {
    await base?.remove()
  }
}

/** @returns the exit code */
async function setUpBase(
  { terminal, interruption }: MeasuredCommand,
  cwd: string,
  setup: string | undefined,
): Promise<number> {
  if (setup === undefined) return 0
  terminal.writeError('Setting up the base.\n')
  const { exitCode } = await runCommand(['sh', '-c', setup], {
    cwd,
    env: { ...terminal.env, PWD: cwd },
    passOn: (bytes) => terminal.writeError(Buffer.from(bytes).toString()),
    interruption,
  })
  return exitCode
}
