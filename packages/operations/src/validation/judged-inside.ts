import type { ActionResult } from '@flamegate/loadtest'

interface Inside {
  passed: number
  failed: number
  /** Of those that failed, which the interpreter had let pass. */
  byJudgement: number
}

/** What became of the actions in others, which end after them: these fail, too, when one of theirs does not stand up to the recording. */
export class JudgedInside {
  readonly #byHolder = new Map<string, Inside>()

  /** Counts an action that holds no others, as it was judged. */
  count({ path, outcome }: ActionResult, judged: ActionResult['outcome']): void {
    if (judged === 'skipped') return
    for (const id of path) {
      const inside = this.#byHolder.get(id) ?? { passed: 0, failed: 0, byJudgement: 0 }
      inside[judged]++
      if (outcome !== judged) inside.byJudgement++
      this.#byHolder.set(id, inside)
    }
  }

  /** What became of one that holds others; it may come again. */
  outcomeOf({ actionId, outcome, failure }: ActionResult): Pick<ActionResult, 'outcome' | 'failure'> {
    const inside = this.#byHolder.get(actionId)
    this.#byHolder.delete(actionId)
    const isOwnFailure = failure !== null && !/^\d+ of \d+ actions in it failed\.$/.test(failure)
    if (inside === undefined || inside.byJudgement === 0 || isOwnFailure) return { outcome, failure }
    const { passed, failed } = inside
    return { outcome: 'failed', failure: `${failed} of ${failed + passed} actions in it failed.` }
  }
}
