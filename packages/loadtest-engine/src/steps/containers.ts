import type { Action, ActionOf } from '@flamegate/loadtest'
import { ActionFailure } from '../action-failure.ts'
import type { Compiler } from '../program/compiler.ts'
import type { Open, Step } from '../program/step.ts'
import { compileCondition } from './condition.ts'

/** Compiles the actions inside another one. */
export type CompileInner = (actions: readonly Action[]) => readonly Step[]

export function compileContainer(action: ActionOf<'container'>, inner: CompileInner): Open {
  const steps = inner(action.actions)
  return () => once(steps)
}

export function compileIf(action: ActionOf<'if'>, compiler: Compiler, inner: CompileInner): Open {
  const holds = compileCondition(action.condition, compiler)
  const steps = inner(action.actions)
  const otherwise = inner(action.else_actions)
  return (user) => once(holds(user) ? steps : otherwise)
}

export function compileWhile(action: ActionOf<'while'>, compiler: Compiler, inner: CompileInner): Open {
  const holds = compileCondition(action.condition, compiler)
  const steps = inner(action.actions)
  return (user) => {
    let passes = 0
    return () => {
      if (!holds(user)) return undefined
      if (passes++ === action.iterations_max)
        throw new ActionFailure(`Its condition still held after ${action.iterations_max} passes.`)
      return steps
    }
  }
}

export function compileLoop(action: ActionOf<'loop'>, compiler: Compiler, inner: CompileInner): Open {
  const count = compiler.template(action.count)
  const steps = inner(action.actions)
  return (user) => {
    const text = user.expand(count).trim()
    if (!/^\d{1,9}$/.test(text))
      throw new ActionFailure(`The count ${JSON.stringify(text)} is no whole number.`)
    let left = Number(text)
    return () => (left-- > 0 ? steps : undefined)
  }
}

export function compileForEach(action: ActionOf<'for_each'>, compiler: Compiler, inner: CompileInner): Open {
  compiler.uses(action.list)
  const steps = inner(action.actions)
  return (user, told) => {
    const values = user.variables.all(action.list).values()
    return () => {
      const next = values.next()
      if (next.done === true) return undefined
      user.set(told, action.variable, next.value)
      return steps
    }
  }
}

export function compileOnce(action: ActionOf<'once'>, inner: CompileInner): Open {
  const steps = inner(action.actions)
  return (user) => (user.iteration === 0 ? once(steps) : none)
}

/** A choice of weight 2 is made twice as often as one of weight 1. */
export function compileRandom(action: ActionOf<'random'>, inner: CompileInner): Open {
  const choices = action.choices.map(({ weight, name, actions }) => ({ weight, name, steps: inner(actions) }))
  const sum = choices.reduce((all, { weight }) => all + weight, 0)
  return (user, told) => {
    if (sum === 0) throw new ActionFailure('All of its choices have the weight 0.')
    let place = user.random.fraction() * sum
    const chosen =
      choices.find(({ weight }) => (place -= weight) < 0) ?? choices.findLast(({ weight }) => weight > 0)
    if (chosen === undefined) return none
    told.say(`Chosen: ${chosen.name || `number ${choices.indexOf(chosen) + 1}`}`)
    return once(chosen.steps)
  }
}

/** Why an action failed in which others did; null where none did. */
export function failureInside(failed: number, passed: number): string | null {
  return failed === 0 ? null : `${failed} of ${failed + passed} actions in it failed.`
}

function once(steps: readonly Step[]): () => readonly Step[] | undefined {
  let isDone = false
  return () => {
    if (isDone) return undefined
    isDone = true
    return steps
  }
}

const none = () => undefined
