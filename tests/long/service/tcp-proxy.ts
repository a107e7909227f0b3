// A program of its own: proxies that pass TCP on, and that can be told to delay it, to drop connections, or to lead elsewhere.
// It is started with a channel to its parent, who sends orders; `[name, target port]` of each proxy are its arguments.
import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'
import { z } from 'zod'
import type { LinkOrder } from './links.ts'

interface Link {
  targetPort: number
  /** Of each piece of data, in each direction. */
  delayMs: number
  /** The chance of a piece to be the end of its connection. */
  dropShare: number
  open: Set<Socket>
}

const links = new Map<string, Link>()
const wanted = z.array(z.tuple([z.string(), z.number()])).parse(JSON.parse(process.argv[2] ?? '[]'))
const ports: Record<string, number> = {}
for (const [name, targetPort] of wanted) ports[name] = await listen(name, targetPort)

process.on('message', (order: LinkOrder) => {
  const link = links.get(order.name)
  if (link === undefined) throw new RangeError(`There is no link ${order.name}`)
  Object.assign(link, order.change)
  // Who is connected to the old one would not notice.
  if (order.change.targetPort !== undefined) for (const socket of link.open) socket.destroy()
})
process.once('disconnect', () => process.exit())
process.send?.(ports)

async function listen(name: string, targetPort: number): Promise<number> {
  const link: Link = { targetPort, delayMs: 0, dropShare: 0, open: new Set() }
  links.set(name, link)
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ port: link.targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    join(link, near, far)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('A proxy listens on a port')
  return address.port
}

function join(link: Link, near: Socket, far: Socket): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    link.open.add(from)
    from.on('error', () => {})
    from.once('close', () => {
      link.open.delete(from)
      to.destroy()
    })
    let dueAt = 0
    const later = (step: () => void) => {
      // No piece overtakes another one, also when the delay becomes shorter.
      dueAt = Math.max(dueAt, performance.now() + link.delayMs)
      const waitMs = dueAt - performance.now()
      if (waitMs <= 0) step()
      else setTimeout(step, waitMs)
    }
    from.on('data', (piece: Buffer) => {
      if (link.dropShare > 0 && Math.random() < link.dropShare) {
        from.destroy()
        return
      }
      later(() => {
        if (to.destroyed || to.write(piece)) return
        from.pause()
        to.once('drain', () => from.resume())
      })
    })
    from.on('end', () => later(() => to.end()))
  }
}
