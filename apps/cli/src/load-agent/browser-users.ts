import { availableParallelism, totalmem } from 'node:os'
import { missingBrowser } from '@flamegate/loadtest-engine'

/** What a page and its processes take, about. */
const bytesOfUser = 512 * 2 ** 20
const usersOfCore = 2

/** Users that this machine can give a browser at once; 0 where it has none. */
export function browserUsersHere(): number {
  if (missingBrowser() !== undefined) return 0
  return Math.max(1, Math.min(usersOfCore * availableParallelism(), Math.floor(totalmem() / bytesOfUser)))
}

/**
 * Why an agent cannot run so many users with pages.
 * @param most What it said that it can
 */
export function browserFault(users: number, most: number): string | undefined {
  if (users <= most) return undefined
  if (most === 0)
    return `This agent has no browser, and is to load pages. ${missingBrowser() ?? 'It was started with --browser-users 0.'}`
  return `This agent gives a browser to ${most} users at most, and is to run ${users}. Start more agents, let fewer users have pages, or start it with --browser-users ${users}.`
}
