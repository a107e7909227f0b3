import { describeBrowser } from '@flamegate/contract'
import type { FastifyRequest } from 'fastify'

/** When and from where something was done, as the letters tell it. */
export interface WhereFrom {
  at: Date
  /** IP address. */
  address: string
  browser: string
}

export function whereFrom({ ip, headers }: FastifyRequest, now: () => number): WhereFrom {
  return { at: new Date(now()), address: ip, browser: describeBrowser(headers['user-agent'] ?? '') }
}
