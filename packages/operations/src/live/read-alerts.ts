import type { Caller } from '@flamegate/contract'
import {
  alertSections,
  readAlert,
  type AlertReading,
  type LiveMoment,
  type LiveProgram,
  type LiveSection,
  type ToldLately,
  type Unjudged,
} from '@flamegate/live'
import type { AlertThresholds, LiveAlertStore, LiveAlertType, LiveApp, ToldMoment } from '../ports/index.ts'
import { liveAlertTypes } from './alert-thresholds-of.ts'
import { startedAt } from './time-of-question.ts'

/** Holds what an app told last against each of its thresholds that is on. */
export async function readAlerts(
  caller: Caller,
  store: Pick<LiveAlertStore, 'told'>,
  app: Pick<LiveApp, 'id' | 'workspaceId'>,
  thresholds: AlertThresholds,
): Promise<ReadonlyMap<LiveAlertType, AlertReading | Unjudged>> {
  const types = liveAlertTypes.filter((type) => thresholds[type] !== null)
  if (types.length === 0) return new Map()
  const sections = new Set(types.flatMap((type) => alertSections[type]))
  const told = toldLately(await store.told(caller, app, [...sections]))
  return new Map(
    types.flatMap((type) => {
      const reading = readingOf(type, thresholds, told)
      return reading === undefined ? [] : [[type, reading] as const]
    }),
  )
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- ties the limits to their type
function readingOf<Type extends LiveAlertType>(
  type: Type,
  thresholds: AlertThresholds,
  told: ToldLately,
): AlertReading | Unjudged | undefined {
  const limits = thresholds[type]
  return limits === null ? undefined : readAlert(type, limits, told)
}

function toldLately(all: readonly ToldMoment[]): ToldLately {
  const told: Partial<Record<LiveSection, LiveMoment[]>> = {}
  for (const { section, session, before, last } of all) {
    const started = startedAt(session)
    const moment = {
      session: processWords(session.program, last.session),
      before,
      last,
      startedAt: started < last.at ? started : last.at,
    }
    told[section] = [...(told[section] ?? []), moment]
  }
  return told
}

/** As people know it; the id of the session where the program says nothing of itself. */
function processWords(program: LiveProgram | null, session: string): string {
  if (program === null) return session
  const { name, host, pid } = program
  const which = [...(host === undefined ? [] : [host]), ...(pid === undefined ? [session] : [`pid ${pid}`])]
  return `${name} (${which.join(', ')})`
}
