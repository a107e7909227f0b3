import type { Action, ActionOf } from '@flamegate/loadtest'
import { ActionFailure } from '../action-failure.ts'
import type { Compiler } from '../program/compiler.ts'
import type { ResultDraft } from '../program/result-draft.ts'
import type { Run, Step } from '../program/step.ts'
import type { User } from '../program/user.ts'
import { compileCondition } from './condition.ts'

/** Compiles the actions inside another one. */
export type CompileInner = (actions: readonly Action[]) => readonly Step[]

export function compileContainer(action: ActionOf<'container'>, inner: CompileInner): Run {
  const steps = inner(action.actions)
  return (user, draft) => around(user, draft, () => user.runSteps(steps))
}

export function compileIf(action: ActionOf<'if'>, compiler: Compiler, inner: CompileInner): Run {
  const holds = compileCondition(action.condition, compiler)
  const steps = inner(action.actions)
  const otherwise = inner(action.else_actions)
  return (user, draft) => around(user, draft, () => user.runSteps(holds(user) ? steps : otherwise))
}

export function compileWhile(action: ActionOf<'while'>, compiler: Compiler, inner: CompileInner): Run {
  const holds = compileCondition(action.condition, compiler)
  const steps = inner(action.actions)
  return (user, draft) =>
    around(user, draft, async () => {
      for (let pass = 0; holds(user); pass++) {
        if (pass === action.iterations_max)
          throw new ActionFailure(`Its condition still held after ${action.iterations_max} passes.`)
        await user.breathe()
        await user.runSteps(steps)
      }
    })
}

export function compileLoop(action: ActionOf<'loop'>, compiler: Compiler, inner: CompileInner): Run {
  const count = compiler.template(action.count)
  const steps = inner(action.actions)
  return (user, draft) =>
    around(user, draft, async () => {
      const text = user.expand(count).trim()
      if (!/^\d{1,9}$/.test(text))
        throw new ActionFailure(`The count ${JSON.stringify(text)} is no whole number.`)
      for (let pass = 0; pass < Number(text); pass++) {
        await user.breathe()
        await user.runSteps(steps)
      }
    })
}

export function compileForEach(action: ActionOf<'for_each'>, compiler: Compiler, inner: CompileInner): Run {
  compiler.uses(action.list)
  const steps = inner(action.actions)
  return (user, draft) =>
    around(user, draft, async () => {
      for (const value of user.variables.all(action.list)) {
        await user.breathe()
        user.set(draft, action.variable, value)
        await user.runSteps(steps)
      }
    })
}

export function compileOnce(action: ActionOf<'once'>, inner: CompileInner): Run {
  const steps = inner(action.actions)
  return (user, draft) =>
    around(user, draft, async () => {
      if (user.iteration === 0) await user.runSteps(steps)
    })
}

/** A choice of weight 2 is made twice as often as one of weight 1. */
export function compileRandom(action: ActionOf<'random'>, inner: CompileInner): Run {
  const choices = action.choices.map(({ weight, name, actions }) => ({ weight, name, steps: inner(actions) }))
  const sum = choices.reduce((all, { weight }) => all + weight, 0)
  return (user, draft) =>
    around(user, draft, async () => {
      if (sum === 0) throw new ActionFailure('All of its choices have the weight 0.')
      let place = user.random.fraction() * sum
      const chosen =
        choices.find(({ weight }) => (place -= weight) < 0) ?? choices.findLast(({ weight }) => weight > 0)
      if (chosen === undefined) return
      draft.say(`Chosen: ${chosen.name || `number ${choices.indexOf(chosen) + 1}`}`)
      await user.runSteps(chosen.steps)
    })
}

/** What fails inside an action makes it fail, too. */
async function around(user: User, draft: ResultDraft, body: () => Promise<void>): Promise<void> {
  const { passed, failed } = user
  await body()
  const failures = user.failed - failed
  if (failures > 0) draft.fail(`${failures} of ${failures + user.passed - passed} actions in it failed.`)
}
