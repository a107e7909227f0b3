import { setTimeout as sleep } from 'node:timers/promises'

/** A message of the outbox. */
interface Due {
  workspaceId: string
  id: string
}

interface DeliveringParts {
  /** Finds messages that are due, the first of each workspace first; asked all the time. */
  findDue: () => Promise<readonly Due[]>
  /** Takes one and sends it; does nothing when another worker was faster. */
  deliver: (due: Due) => Promise<void>
  log: { error(fields: { err: unknown; deliveryId?: string }, message: string): void }
}

export interface Delivering {
  /** Begins no more, and waits for those on their way; what is not heard of by then is tried again later. */
  close(options: { deadlineMs: number }): Promise<void>
}

const lookEveryMs = 1_000
/** They mostly wait for others to answer. */
const atATimeMax = 20
/** Receivers that never answer keep the messages of their own workspace waiting, and nobody else’s. */
const ofOneWorkspaceMax = 4

/**
 * Sends what is due in the outbox, beside the jobs: an address elsewhere may take its time to answer, and an upload must
 * not wait for that. The outbox itself says whose turn it is, so there is nothing to queue.
 */
export function startDelivering({ findDue, deliver, log }: DeliveringParts): Delivering {
  const underWay = new Map<string, { workspaceId: string; done: Promise<void> }>()
  let isLooking = false
  let isClosing = false

  const mayBegin = ({ workspaceId, id }: Due) =>
    !underWay.has(id) &&
    underWay.size < atATimeMax &&
    [...underWay.values()].filter((each) => each.workspaceId === workspaceId).length < ofOneWorkspaceMax

  function begin(due: Due): void {
    const done = deliver(due)
      .catch((error: unknown) => log.error({ err: error, deliveryId: due.id }, 'a message was not sent'))
      .finally(() => underWay.delete(due.id))
    underWay.set(due.id, { workspaceId: due.workspaceId, done })
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const due = await findDue()
      for (const each of due) if (!isClosing && mayBegin(each)) begin(each)
    } catch (error) {
      log.error({ err: error }, 'messages that are due were not found')
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  return {
    async close({ deadlineMs }) {
      isClosing = true
      clearInterval(timer)
      const all = Promise.all([...underWay.values()].map(({ done }) => done))
      await Promise.race([all, sleep(deadlineMs, undefined, { ref: false })])
    },
  }
}
