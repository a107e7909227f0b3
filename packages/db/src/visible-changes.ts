import type { VisibleChange } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { listenTo } from './notification-listener.ts'

/** Triggers of the database tell it, with a person's id. */
const channel = 'flamegate_visible_changes'
const cataloguePrefix = 'catalogue '

/**
 * Calls back whenever somebody's tools or resources may look different from now on, on whatever process that came
 * about. `catalogue` names what this process offers; processes that offer something else are told of it, so that a
 * deployment reaches everybody. After a break of the connection it is everybody too, for what was missed.
 */
export function watchVisibleChanges(
  database: Database,
  catalogue: string,
  onChange: (change: VisibleChange) => void,
): Promise<{ close(): Promise<void> }> {
  const ours = cataloguePrefix + catalogue
  let hasListened = false
  return listenTo(database, {
    name: channel,
    about: 'visible changes',
    onPayload(payload) {
      if (!payload.startsWith(cataloguePrefix)) return onChange({ userId: payload })
      if (payload !== ours) onChange('everybody')
    },
    async onListening(client) {
      if (hasListened) onChange('everybody')
      hasListened = true
      await client.query('SELECT pg_notify($1, $2)', [channel, ours])
    },
  })
}
