import { operations } from '@flamegate/contract'
import { CallFailure, type McpClient } from './mcp-client.ts'
import { setTimeout as pause } from 'node:timers/promises'

/** What a client was told to be stored. */
export interface Acknowledged {
  kind: 'results' | 'result file' | 'profile'
  client: McpClient
  /** Of the run, or of the profile. */
  id: string
  /** Which no other has: the commit of the run, or the name of the profile. */
  mark: string
  /** Of the job that reads it, where it was uploaded. */
  taskId?: string
  resultCount?: number
}

/** What was acknowledged, and of what nobody knows whether it was done. */
export class Ledger {
  readonly acknowledged: Acknowledged[] = []
  /** Marks of writes that were cut off: each may be there once, or not. */
  readonly unknown: string[] = []

  /** Reads back by its client, over MCP, what was acknowledged from there on. Gives what is missing or differs. */
  async readBack(from = 0): Promise<string[]> {
    const lost: string[] = []
    const waiting = this.acknowledged.slice(from)
    const reader = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const wrong = await whatIsWrong(next)
        if (wrong !== undefined) lost.push(`${next.kind} ${next.id} of ${next.client.name}: ${wrong}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, reader))
    return lost
  }
}

async function whatIsWrong({
  kind,
  client,
  id,
  mark,
  taskId,
  resultCount,
}: Acknowledged): Promise<string | undefined> {
  if (taskId !== undefined) {
    const problem = await endOfTask(client, taskId, 180_000)
    if (problem !== undefined) return problem
  }
  try {
    if (kind === 'profile') {
      const { profile } = await persistently(() => client.call(operations.getProfile, { profile_id: id }))
      return profile.name === mark && profile.node_count > 0
        ? undefined
        : `It is ${profile.name} with ${profile.node_count} nodes.`
    }
    const { run } = await persistently(() => client.call(operations.getRun, { run_id: id }))
    return run.commit_hash === mark && run.status === 'COMPLETED' && run.result_count === resultCount
      ? undefined
      : `It is ${run.status} with ${run.result_count} results of ${run.commit_hash}.`
  } catch (error) {
    return String(error)
  }
}

/** What kept the job from success, once it has ended; undefined when nothing did. */
export async function endOfTask(
  client: Pick<McpClient, 'call'>,
  taskId: string,
  withinMs: number,
): Promise<string | undefined> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await pause(1_000)) {
    const { task } = await persistently(() => client.call(operations.getTaskResult, { task_id: taskId }))
    if (task.status === 'SUCCESS') return undefined
    if (task.status === 'FAILED' || task.status === 'CANCELLED')
      return `Its job is ${task.status}: ${task.problem?.detail ?? ''}`
  }
  return 'Its job did not end.'
}

/** A read that goes on until it is answered, as somebody does who wants to know. */
export async function persistently<T>(read: () => Promise<T>, withinMs = 180_000): Promise<T> {
  const deadline = Date.now() + withinMs
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 4_000)) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof CallFailure) || error.kind === 'refused' || Date.now() > deadline) throw error
    }
    await pause(waitMs)
  }
}
