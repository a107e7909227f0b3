import type { z } from 'zod'
import type { goOnInput } from './account-input.ts'

/** Where somebody goes on who logs in at another service. */
export type GoOn = z.output<typeof goOnInput>

export function pageAfter({ interaction, return_to }: GoOn): string {
  return interaction === undefined ? (return_to ?? '/') : `/oauth/interaction/${interaction}`
}

/** The log-in page, where the person goes on with a code or reads why it did not work. */
export function logInPage({ interaction, return_to }: GoOn, outcome: { refused: string } | 'code'): string {
  const query = new URLSearchParams(outcome === 'code' ? { step: 'code' } : outcome)
  if (interaction !== undefined) query.set('interaction', interaction)
  if (return_to !== undefined) query.set('return_to', return_to)
  return `/log-in?${query.toString()}`
}
