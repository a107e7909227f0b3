import type { Incident, StatusComponent, StatusStore } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { statusJson, statusPage } from './status-page.ts'
import { StatusWatch } from './watch-status.ts'

/** An installation of which the parts are turned on and off, with a clock that is told. */
function installation() {
  let now = Date.parse('2026-11-23T12:00:00Z')
  const down = new Set<string>()
  const ages: Partial<Record<StatusComponent, number>> = {}
  const incidents: Incident[] = []
  const store: StatusStore = {
    markWorked: async () => {},
    agesMs: async () => ages,
    listIncidents: async () => [...incidents],
    beginObserved: async ({ component, title, beganAt }) =>
      void incidents.unshift({
        id: `inc_${incidents.length}`,
        component,
        title,
        message: null,
        isObserved: true,
        beganAt,
        endedAt: null,
      }),
    endObserved: async (component) => {
      for (const each of incidents) if (each.component === component) each.endedAt ??= new Date(now)
    },
    open: async () => '',
    update: async () => false,
  }
  const check = (name: string) => async () => {
    if (down.has(name)) throw new Error(`${name} with the password 1234 is away`)
  }
  const watch = new StatusWatch({
    store,
    checks: { database: check('database'), api: check('api') },
    log: { error: () => {} },
    now: () => now,
  })
  return {
    watch,
    down,
    ages,
    incidents,
    /** Looks every ten seconds for so long. */
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 10) {
        now += 10_000
        await watch.look()
      }
      const { components } = await watch.look()
      return Object.fromEntries(components.map(({ component, state }) => [component, state]))
    },
  }
}

const said = ({ component, beganAt, endedAt }: Incident) => [
  component,
  beganAt.toISOString().slice(11, 19),
  endedAt?.toISOString().slice(11, 19) ?? 'lasts',
]

test('what is down for half a minute is an incident from when it began, and shorter is none', async () => {
  const at = installation()
  at.down.add('api')
  expect(await at.pass(20)).toMatchObject({ api: 'down', database: 'operational' })
  at.down.delete('api')
  await at.pass(60)
  expect(at.incidents).toEqual([])
  at.down.add('api')
  await at.pass(60)
  expect(at.incidents.map(said)).toEqual([['api', '12:01:30', 'lasts']])
  at.down.delete('api')
  await at.pass(10)
  expect(at.incidents.map(said)).toEqual([['api', '12:01:30', '12:02:30']])
})

test('that the database was away is written when it is back', async () => {
  const at = installation()
  at.down.add('database')
  expect(await at.pass(60)).toMatchObject({ database: 'down', jobs: 'unknown', files: 'unknown' })
  expect(at.incidents).toEqual([])
  at.down.delete('database')
  expect(await at.pass(10)).toMatchObject({ database: 'operational' })
  expect(at.incidents.map(said)).toEqual([['database', '12:00:10', '12:01:10']])
})

test('jobs are down when no worker told of itself, but not for the time that we were stopped, too', async () => {
  const at = installation()
  expect(await at.pass(10)).toMatchObject({ jobs: 'unknown' })
  at.ages.jobs = 36_000_000
  expect(await at.pass(20)).toMatchObject({ jobs: 'operational' })
  expect(await at.pass(20)).toMatchObject({ jobs: 'down' })
  expect(at.incidents.map(said)).toEqual([['jobs', '12:00:05', 'lasts']])
  at.ages.jobs = 3_000
  expect(await at.pass(10)).toMatchObject({ jobs: 'operational' })
  expect(at.incidents[0]?.endedAt).toBeInstanceOf(Date)
})

test('page and JSON tell what is down and not why, and show markup in words as words', async () => {
  const at = installation()
  at.down.add('api')
  await at.pass(40)
  const [incident] = at.incidents
  if (incident) incident.message = 'We look into it. <script>alert(1)</script>'
  const status = await at.watch.look()
  const json: unknown = JSON.parse(statusJson(status))
  expect(json).toMatchObject({
    status: 'outage',
    components: expect.arrayContaining([{ id: 'api', title: 'Tools and REST', status: 'down' }]),
    incidents: [{ component: 'api', ended_at: null }],
  })
  const page = statusPage(status)
  expect(page).toContain('<span class="down">Down</span>')
  expect(page).not.toContain('<script')
  expect(page + statusJson(status)).not.toContain('1234')
})
