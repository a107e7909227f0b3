import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

type Environment = Readonly<Record<string, string | undefined>>

/** What a class has in the heap. */
export interface ClassRow {
  name: string
  objects: number
  bytes: number
}

const textMax = 256 * 2 ** 20

/**
 * Tells a JVM something: https://docs.oracle.com/en/java/javase/21/docs/specs/man/jcmd.html
 * @throws Error; `message` is for people
 */
export function jcmd(pid: number, words: readonly string[], env: Environment): Promise<string> {
  return runTool('jcmd', [String(pid), ...words], env)
}

/** The classes of all that is in use, after all garbage was collected, by name. */
export async function classHistogram(pid: number, env: Environment): Promise<ReadonlyMap<string, ClassRow>> {
  const text = await jcmd(pid, ['GC.class_histogram'], env)
  // `   1:         13041         794248  [B (java.base@17.0.15)`; classes of several loaders may have one name.
  const rows = new Map<string, ClassRow>()
  for (const [, objects, bytes, name = ''] of text.matchAll(/^ *\d+: +(\d+) +(\d+) +(\S+)/gm)) {
    const row = rows.get(name) ?? { name, objects: 0, bytes: 0 }
    rows.set(name, { name, objects: row.objects + Number(objects), bytes: row.bytes + Number(bytes) })
  }
  if (rows.size === 0) throw new Error('The JVM told of no classes.')
  return rows
}

const recorded = z.object({
  recording: z.object({
    events: z.array(
      z.object({
        values: z.object({
          startTime: z.string(),
          name: z.string().nullable(),
          sumOfPauses: z.string(),
        }),
      }),
    ),
  }),
})

/** A garbage collection: for how long all threads stood still. */
export interface JvmCollection {
  /** Milliseconds since 1970. */
  startedAt: number
  name: string
  pauseMs: number
}

export async function collectionsIn(recording: string, env: Environment): Promise<JvmCollection[]> {
  const text = await runTool('jfr', ['print', '--json', '--events', 'jdk.GarbageCollection', recording], env)
  return recorded.parse(JSON.parse(text)).recording.events.map(({ values }) => ({
    startedAt: Date.parse(values.startTime),
    name: values.name ?? 'other',
    pauseMs: millisecondsOf(values.sumOfPauses),
  }))
}

/** `PT0.00123S`; it is of one collection, so that it has no hours. */
function millisecondsOf(duration: string): number {
  const [, minutes = '0', seconds = '0'] = /^PT(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? []
  return 60_000 * Number(minutes) + 1000 * Number(seconds)
}

async function runTool(program: string, words: readonly string[], env: Environment): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, words, { env, maxBuffer: textMax })
    return stdout
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(
        `${program} is not there: it comes with a JDK. Install one, or put its bin into the PATH.`,
        {
          cause: error,
        },
      )
    }
    throw error
  }
}
