import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileToUpload } from '../upload/upload-all.ts'
import { keepFiles, measureProcess, type MeasuredCommand } from './measure-process.ts'

/** A folder that the command runs in. */
export interface Side {
  name: 'base' | 'head'
  cwd: string
}

/** A process that failed, which ends the measurement. */
export interface FailedProcess {
  exitCode: number
  /** Which one it was, e.g. `3 of 10, base`. */
  place: string
}

/**
 * Measures every side in several processes. Two sides take turns, base head, head base, base head …: neighbours make a
 * pair, and what only grows or only falls meanwhile slows either side as often as the other.
 *
 * @param folder where the files are kept
 * @param tell is told of each process before it starts
 * @returns the files of each side, which an archive names by their process, or what failed
 */
export async function measureInTurns(
  measured: MeasuredCommand,
  sides: readonly Side[],
  { repeat, folder, tell }: { repeat: number; folder: string; tell: (place: string) => void },
): Promise<Map<Side['name'], FileToUpload[]> | FailedProcess> {
  const files = new Map<Side['name'], FileToUpload[]>(sides.map(({ name }) => [name, []]))
  const turns = Array.from({ length: repeat }, (_, index) =>
    (index % 2 === 0 ? sides : sides.toReversed()).map((side) => ({ number: index + 1, side })),
  ).flat()
  for (const { number, side } of turns) {
    const place = `${number} of ${repeat}${sides.length > 1 ? `, ${side.name}` : ''}`
    tell(place)
    const own = join(folder, `${side.name}-${number}`)
    // oxlint-disable-next-line no-await-in-loop -- one process after the other is the point of it
    const { exitCode, files: written } = await measureOne(measured, side.cwd, own)
    if (exitCode !== 0) return { exitCode, place }
    // oxlint-disable-next-line no-await-in-loop -- before the next one overwrites them
    const kept = await keepFiles(written, join(own, 'kept'))
    const earlier = files.get(side.name) ?? []
    files.set(side.name, [
      // Of profiles the last ones are enough to look at.
      ...earlier.filter(({ kind }) => kind === 'results'),
      ...kept.map((each) =>
        each.kind === 'results' ? { ...each, name: `process-${number}/${each.name}` } : each,
      ),
    ])
  }
  return files
}

async function measureOne(measured: MeasuredCommand, cwd: string, folder: string) {
  await mkdir(folder, { recursive: true })
  const { terminal } = measured
  // CodSpeed's integrations add to their folder: each process gets one of its own.
  const env = terminal.env['CODSPEED_PROFILE_FOLDER']
    ? { ...terminal.env, CODSPEED_PROFILE_FOLDER: join(folder, 'profile') }
    : terminal.env
  return measureProcess({ ...measured, terminal: { ...terminal, env } }, { cwd, folder })
}
