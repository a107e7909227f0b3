import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'

/** What can be changed of a link while it is in use. */
interface LinkChange {
  targetPort?: number
  delayMs?: number
  dropShare?: number
}

export interface LinkOrder {
  name: string
  change: LinkChange
}

/** TCP proxies in front of servers, in a process of their own. */
export interface Links<Name extends string> {
  pid: number
  /** Where each is to be connected to. */
  ports: Record<Name, number>
  change(name: Name, change: LinkChange): void
  stop(): Promise<void>
}

export async function startLinks<Name extends string>(targets: Record<Name, number>): Promise<Links<Name>> {
  const child = fork(join(import.meta.dirname, 'tcp-proxy.ts'), [JSON.stringify(Object.entries(targets))])
  const [first]: unknown[] = await once(child, 'message')
  const ports = z.record(z.string(), z.number()).parse(first)
  return {
    pid: child.pid ?? 0,
    ports,
    change: (name, change) => void child.send({ name, change } satisfies LinkOrder),
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
