import type { ActionOf } from '@flamegate/loadtest'
import type { Compiler } from '../program/compiler.ts'
import type { Run, Told } from '../program/step.ts'
import type { User } from '../program/user.ts'
import { runScript } from '../script/run-script.ts'

export function compileSetVariable(
  action: ActionOf<'set_variable'>,
  compiler: Compiler,
): (user: User, told: Told) => void {
  const value = compiler.template(action.value)
  return (user, told) => user.set(told, action.variable, user.expand(value))
}

export function compileScript(action: ActionOf<'script'>, compiler: Compiler): Run {
  compiler.scripts.push(action.source)
  return async (user, draft) => {
    await runScript(action.source, {
      name: action.name || action.id,
      timeoutMs: action.timeout_ms,
      get: (name) => user.variables.get(name),
      set: (name, value) => user.set(draft, name, value),
      say: (line) => draft.say(line),
      response: user.lastReceived,
      pulse: user.pulse,
    })
  }
}
