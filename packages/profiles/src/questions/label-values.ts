import type { LabelSet } from '../profile-detail.ts'

/** The value of a label; undefined where there is none. */
export function labelValue(labels: LabelSet, name: string): string | undefined {
  return labels.find(([own]) => own === name)?.[1]
}

/** A thread as it is told: with its process, where that is known. Undefined without a thread. */
export function threadName(labels: LabelSet): string | undefined {
  const thread = labelValue(labels, 'thread')
  const process = labelValue(labels, 'process')
  return thread !== undefined && process !== undefined ? `${process} / ${thread}` : thread
}
