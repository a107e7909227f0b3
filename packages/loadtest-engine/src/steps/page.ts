import type { ActionOf } from '@flamegate/loadtest'
import { redactExchange } from '@flamegate/loadtest/running'
import { ActionFailure, wordsOf } from '../action-failure.ts'
import { compileTemplate } from '../program/compiled-template.ts'
import type { Compiler } from '../program/compiler.ts'
import type { Run } from '../program/step.ts'

export function compilePage(action: ActionOf<'page'>, compiler: Compiler): Run {
  // Steps are filled in by whoever does them; which variables they name has to be known before.
  for (const text of textsIn(action.steps)) compiler.template(text)
  const serverIds = new Set(action.steps.flatMap((step) => ('server_id' in step ? [step.server_id] : [])))
  for (const id of serverIds) compiler.server(id)

  return async (user, draft) => {
    const { pages, servers, gate, openFile, signal } = user.plan
    const { cookies, cache } = user.program
    if (pages === undefined)
      throw new ActionFailure('Actions in a page need a browser, and this run has none.')
    const named = new Map([...servers].filter(([id]) => serverIds.has(id)))
    try {
      const outcome = await pages.run(action, {
        servers: named,
        gate,
        openFile,
        signal,
        iteration: user.iteration,
        forgets: {
          cookies: !cookies.keep || cookies.clear_each_iteration,
          cache: !cache.keep || cache.clear_each_iteration,
        },
        usesSecrets: user.variables.usesSecrets,
        expand: async (text) => user.expand(compileTemplate(text)),
        set: async (variable, value) => user.set(draft, variable, value),
      })
      for (const message of outcome.messages) draft.say(message)
      for (const each of outcome.exchanges)
        draft.exchanges.push({ ...each, exchange: redactExchange(each.exchange, user.redactor) })
      draft.screenshot = outcome.screenshot
      draft.trace = outcome.trace
      draft.preparationMs = outcome.preparationMs
      if (outcome.failure !== null) draft.fail(outcome.failure, outcome.errorClass ?? 'other')
    } catch (error) {
      if (signal.aborted) throw error
      throw new ActionFailure(`The browser could not do it: ${wordsOf(error)}`, { cause: error })
    }
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
