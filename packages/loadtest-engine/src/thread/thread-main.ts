import { parentPort, workerData } from 'node:worker_threads'
import type { PageRunner, PageUser, UserPlan } from '../ports.ts'
import { runVirtualUser } from '../run-virtual-user.ts'
import { Conversation } from './conversation.ts'
import type { ThreadMessage, ThreadPlan } from './messages.ts'

const pulseMs = 250

if (parentPort === null) throw new TypeError('This is the main file of a thread.')
const port = parentPort
const plan: ThreadPlan = workerData
const aborting = new AbortController()
const pageUsers: PageUser[] = []

const conversation = new Conversation((message) => port.postMessage(message), {
  expand: async ({ page, template }) => (await pageUsers[page]?.expand(template)) ?? '',
  set: async ({ page, variable, value }) => {
    await pageUsers[page]?.set(variable, value)
    return null
  },
})
port.on('message', (message: ThreadMessage) => {
  if (message.type === 'abort') aborting.abort(new Error('It was cancelled.'))
  else conversation.take(message)
})

const pulse = () => void Atomics.add(plan.pulse, 0, 1)
setInterval(pulse, pulseMs).unref()
pulse()

const pages: PageRunner = {
  run: (action, user) => {
    const page = pageUsers.push(user) - 1
    const { servers, iteration, forgets, usesSecrets } = user
    return conversation.ask('page', {
      page,
      action,
      serverIds: [...servers.keys()],
      iteration,
      forgets,
      usesSecrets,
    })
  },
}
const ownPlan: UserPlan = {
  ...plan,
  signal: aborting.signal,
  gate: { resolve: (host, to) => conversation.ask('resolve', { host, port: to }) },
  openFile: (path) => conversation.ask('openFile', { path }),
  pages: plan.hasPages ? pages : undefined,
}
const outcome = await runVirtualUser(
  ownPlan,
  {
    started: (action) => port.postMessage({ type: 'started', action } satisfies ThreadMessage),
    finished: async (result) => {
      await conversation.ask('finished', { result })
    },
  },
  pulse,
)
port.postMessage({ type: 'ended', outcome } satisfies ThreadMessage)
port.close()
