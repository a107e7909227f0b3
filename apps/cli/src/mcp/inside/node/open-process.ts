import { z } from 'zod'
import { openInspector, type Inspector } from '../../../capture/inspector.ts'

/** A process of Node.js with a connection to its inspector. */
export interface InspectedProcess {
  inspector: Inspector
  pid: number
  /** `v24.1.0` */
  version: string
  /** The file that it runs, without folders. */
  program: string
  /** Whether it reads its standard input: a wrapper such as npx leaves that to what it started. */
  readsInput: boolean
  /** Leaves it as it was found. */
  close: () => Promise<void>
}

const facts = z.object({ pid: z.number(), version: z.string(), program: z.string(), readsInput: z.boolean() })
// `_getActiveHandles` is undocumented, and there since Node.js 0.4; to ask for process.stdin would make one. npm has one, too, and
// nobody listens to it.
const factsScript = String.raw`({
  pid: process.pid,
  version: process.version,
  program: String(process.argv[1] ?? '').split(/[\\/]/).at(-1),
  readsInput: process._getActiveHandles().some(
    (each) => each?.fd === 0 && each.listenerCount('data') + each.listenerCount('readable') > 0,
  ),
})`
const evaluated = z.object({
  result: z.object({ value: z.unknown().optional(), objectId: z.string().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
})

/** @throws CaptureFailed when nobody is there */
export async function openProcess(address: string): Promise<InspectedProcess> {
  const inspector = await openInspector(address)
  try {
    // A process that ends waits for who is connected to go.
    inspector.on('NodeRuntime.waitingForDisconnect', () => inspector.close())
    await inspector.send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true })
    const { value } = await evaluate(inspector, factsScript)
    return {
      inspector,
      ...facts.parse(value),
      close() {
        inspector.close()
        return Promise.resolve()
      },
    }
  } catch (error) {
    inspector.close()
    throw error
  }
}

export interface Evaluated {
  value?: unknown
  objectId?: string | undefined
}

/** Runs a script in the process, with `require` whatever kind of module its program is. */
export async function evaluate(inspector: Inspector, expression: string, byValue = true): Promise<Evaluated> {
  return resultOf(
    await inspector.send('Runtime.evaluate', {
      expression,
      includeCommandLineAPI: true,
      returnByValue: byValue,
    }),
  )
}

/** Calls a method of what a script made, and waits for it. */
export async function callMethod(inspector: Inspector, objectId: string, name: string): Promise<unknown> {
  const { value } = resultOf(
    await inspector.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function () { return this.${name}() }`,
      awaitPromise: true,
      returnByValue: true,
    }),
  )
  return value
}

function resultOf(answer: unknown): Evaluated {
  const { result, exceptionDetails } = evaluated.parse(answer)
  if (exceptionDetails === undefined) return result
  throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
}
