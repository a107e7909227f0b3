import { histogramDifference } from '../histogram-sum.ts'
import type { RunPlan } from '../seal.ts'
import type { SeriesKind } from '../table.ts'
import { readTickLayout } from '../tick-bytes.ts'
import { answerQuestion, type SeriesAnswer, type SeriesData } from './answer.ts'
import type { Buckets, RequestBucket } from './buckets.ts'
import { actionsOfLive } from './live-sums.ts'
import type { QuestionPlan, SeriesQuestion } from './question.ts'

interface Run {
  run: RunPlan
  /** All actions that were sealed have smaller numbers. */
  actionsEnd: number
}

type ReadPart = (question: SeriesQuestion) => Promise<SeriesData & { plan: QuestionPlan }>
type AnswerPart = <Kind extends SeriesKind>(
  question: SeriesQuestion<Kind>,
  plan: QuestionPlan,
  data: SeriesData,
) => Promise<SeriesAnswer<Buckets[Kind]>> | SeriesAnswer<Buckets[Kind]>

/**
 * Answers a question, as `answerQuestion`. What is asked of most actions of a run together is told as that of all of them, less
 * that of the others: all of a run stand in one row, and each action in its own.
 * @param read what is stored of a question; of all that are asked, at one moment
 * @param answer makes the answer of it
 */
export async function answerByParts<Kind extends SeriesKind>(
  question: SeriesQuestion<Kind>,
  { run, actionsEnd }: Run,
  read: ReadPart,
  answer: AnswerPart = answerQuestion,
): Promise<SeriesAnswer<Buckets[Kind]>> {
  const others = othersOf(question, { run, actionsEnd })
  if (others === undefined) {
    const { plan, ...data } = await read(question)
    return answer(question, plan, data)
  }
  const { actions: asked, ...all } = question
  const ofAll = await read(all)
  const ofOthers = await read({ ...all, actions: others })
  // Some may be told of for the first time.
  const actions = new Set(others)
  for (const { bytes } of ofOthers.live)
    for (const action of readTickLayout(bytes).actions.actions) if (action >= actionsEnd) actions.add(action)
  for (const action of ofOthers.liveSums ? actionsOfLive(ofOthers.liveSums) : [])
    if (action >= actionsEnd) actions.add(action)
  for (const action of [...(asked ?? []), ...run.containers]) actions.delete(action)
  return without(
    await answer(all, ofAll.plan, ofAll),
    await answer({ ...all, actions: [...actions] }, ofOthers.plan, ofOthers),
  )
}

/** Actions that are not asked for, where they are few. */
function othersOf(question: SeriesQuestion, { run, actionsEnd }: Run): number[] | undefined {
  const { kind, actions, profiles, agent, apart } = question
  if (kind !== 'requests' || actions === undefined) return undefined
  if (profiles !== undefined || agent !== undefined || apart !== undefined) return undefined
  const asked = new Set(actions)
  // Those that hold others are not counted with all.
  if (actions.some((action) => run.containers.has(action))) return undefined
  const others = Array.from({ length: actionsEnd }, (_, action) => action).filter(
    (action) => !asked.has(action) && !run.containers.has(action),
  )
  return others.length < asked.size / 2 ? others : undefined
}

/** What is left of the one without the other, which has the same buckets. */
function without<Bucket extends Buckets[SeriesKind]>(
  all: SeriesAnswer<Bucket>,
  others: SeriesAnswer<Bucket>,
): SeriesAnswer<Bucket> {
  const [less] = others.groups
  if (less === undefined) return all
  const groups = all.groups.map((group) => ({
    ...group,
    buckets: group.buckets.map((bucket, place) => difference(bucket, less.buckets[place])),
  }))
  return { ...all, groups: groups.filter(({ buckets }) => buckets.some(isAnything)) }
}

function difference<Bucket extends Buckets[SeriesKind]>(bucket: Bucket, less: Bucket | undefined): Bucket {
  if (less === undefined || !isOfRequests(bucket) || !isOfRequests(less)) return bucket
  return {
    ...bucket,
    counters: bucket.counters.map((count, place) => count - (less.counters[place] ?? 0)),
    serviceTime: histogramDifference(less.serviceTime, bucket.serviceTime),
    responseTime: histogramDifference(less.responseTime, bucket.responseTime),
  }
}

function isOfRequests(bucket: Buckets[SeriesKind]): bucket is RequestBucket {
  return 'responseTime' in bucket
}

function isAnything(bucket: Buckets[SeriesKind]): boolean {
  return !isOfRequests(bucket) || bucket.counters.some((count) => count !== 0)
}
