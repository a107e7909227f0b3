import { once } from 'node:events'
import type { PageRunner, PageUser, UserPlan } from '../ports.ts'
import { runVirtualUser } from '../run-virtual-user.ts'
import { Conversation } from './conversation.ts'
import type { ProcessMessage } from './messages.ts'

const pulseMs = 250

// Nobody is there any more who would end it.
process.once('disconnect', () => process.exit(1))

const [first]: ProcessMessage[] = await once(process, 'message')
if (first?.type !== 'plan') throw new TypeError('The plan comes first.')
const { plan } = first
const aborting = new AbortController()
const pageUsers: PageUser[] = []

const conversation = new Conversation((message) => void process.send?.(message), {
  expand: async ({ page, template }) => (await pageUsers[page]?.expand(template)) ?? '',
  set: async ({ page, variable, value }) => {
    await pageUsers[page]?.set(variable, value)
    return null
  },
})
process.on('message', (message: ProcessMessage) => {
  if (message.type === 'abort') aborting.abort(new Error('It was cancelled.'))
  else conversation.take(message)
})

function say(message: ProcessMessage): void {
  process.send?.(message)
}

let beatAt = -Infinity
/** Is called as often as somebody likes. */
function pulse(): void {
  if (performance.now() - beatAt < pulseMs) return
  beatAt = performance.now()
  say({ type: 'pulse' })
}
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
    started: (action) => say({ type: 'started', action }),
    finished: async (result) => {
      await conversation.ask('finished', { result })
    },
  },
  pulse,
)
say({ type: 'ended', outcome })
