import { formatBytes } from '@flamegate/contract'
import {
  createStores,
  dropOldAudit,
  findLiveAppsToSweep,
  findPastRetention,
  findUnknownObjects,
  prepareAudit,
  type Database,
} from '@flamegate/db'
import { sweepLiveApps, sweepObjects, sweepPastRetention } from '@flamegate/operations'
import type { ObjectStorage } from '@flamegate/operations/ports'
import { ConfigError, type Retention } from '@flamegate/runtime'
import { sweepTimedOut } from './sweep-timed-out.ts'

/** So many objects may be left over of an accident, however many there are. */
const alwaysSweptMax = 100

/** No plan that has an end keeps anything for longer: a hundred years. */
const planHoursMax = 36_500 * 24

/**
 * Removes what is past its time by the plan of its workspace, by the installation or by its own, and objects that no file tells of, and says how much went. As
 * often as one likes, while everything goes on.
 * @throws ConfigError when most objects are unknown: that is the storage of another installation
 */
export async function sweepInstallation(
  { database, ownerUrl, storage }: { database: Database; ownerUrl: string; storage: ObjectStorage },
  { isDry, say, kept = {} }: { isDry: boolean; say: (line: string) => void; kept?: Retention },
): Promise<void> {
  const data = createStores(database)
  const { stores } = data
  try {
    const gone = await sweepPastRetention(
      (kind, options) =>
        findPastRetention(database, kind, {
          ...options,
          daysMax: kind === 'bench_results' ? kept.FLAMEGATE_BENCH_RESULT_DAYS : null,
        }),
      { stores, storage },
      { isDry },
    )
    const verb = isDry ? 'would go' : 'went'
    say(
      `${gone.runs} runs, ${gone.profiles} profiles, ${gone.bench_results} results of load tests, ${gone.live_recordings} live recordings and ` +
        `${gone.mcp_sessions} sessions of MCP servers ${verb}: they are older than their plan keeps them.`,
    )
    const live = await sweepLiveApps(
      await findLiveAppsToSweep(database, { all: true }),
      { stores, limits: undefined, keptForMs: (kept.FLAMEGATE_LIVE_HOURS ?? planHoursMax) * 3_600_000 },
      { isDry: true },
    )
    say(`${live} rows of live apps are older than their plan keeps them: workers remove these every minute.`)
    say(`${await sweepTimedOut(database, { stores, storage }, { isDry })} ${verb}: their own time is over.`)
    const added = await prepareAudit(database, { isDry })
    say(`${added.length} months ahead ${isDry ? 'would be' : 'were'} added to the audit log.`)
    const { events, months } = await dropOldAudit(ownerUrl, { isDry })
    say(
      `${events} events of the audit log ${verb}, ${months.length} months of them as a whole: they are older than any plan in use keeps them.`,
    )
    const unknownOf = (keys: readonly string[]) => findUnknownObjects(database, keys)
    const now = new Date()
    const left = await sweepObjects(storage, unknownOf, { isDry: true, now })
    if (left.removed > alwaysSweptMax && left.removed > left.seen / 2) {
      throw new ConfigError(
        `Of ${left.seen} objects ${left.removed} are of no file: is this the storage of another installation? None of them was removed.`,
      )
    }
    const swept = isDry ? left : await sweepObjects(storage, unknownOf, { isDry, now })
    say(
      `${swept.removed} of ${swept.seen} objects in storage ${verb} (${formatBytes(swept.removedBytes)}): no file tells of them.`,
    )
  } finally {
    await data.close()
  }
}
