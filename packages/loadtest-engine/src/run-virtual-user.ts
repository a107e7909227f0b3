import { UserEnded } from './action-failure.ts'
import type { Observer, UserOutcome, UserPlan } from './ports.ts'
import { compile } from './program/compile.ts'
import { User } from './program/user.ts'

/** Runs one virtual user, in this thread: what blocks it blocks everybody. `runInProcess` does it beside. */
export async function runVirtualUser(
  plan: UserPlan,
  observer: Observer,
  pulse: () => void = () => {},
): Promise<UserOutcome> {
  const program = compile(plan)
  const user = new User(program, await program.openVariables(plan.openFile), plan, observer, pulse)
  let begun = 0
  let ended: string | null = null
  try {
    while (begun < plan.iterations) {
      await user.beginIteration(begun)
      begun++
      await user.runSteps(program.steps)
    }
  } catch (error) {
    if (plan.signal.aborted) ended = 'It was cancelled.'
    else if (error instanceof UserEnded) ended = error.message
    else throw error
  } finally {
    user.close()
  }
  return { iterations: begun, passed: user.passed, failed: user.failed, ended }
}
