import { statusStore } from '@flamegate/db'
import { prepareStores } from '@flamegate/db/testing'
import { expect, test } from 'vitest'
import { changeIncidents } from './incidents.ts'

const at = prepareStores()

async function said(...words: string[]): Promise<string[]> {
  const lines: string[] = []
  await changeIncidents(statusStore(at.database), words, (line) => lines.push(line))
  return lines
}

test('a person opens an incident, says more of it, and ends it', async () => {
  expect(await said('list')).toEqual(['There was none in the last 90 days.'])
  const [id = ''] = await said('open', 'api', 'Slow since noon', 'We know why.')
  await said('update', id, 'It is the database.')
  expect(await said('list')).toEqual([expect.stringMatching(/^inc_\w+ .* lasts {2}api: Slow since noon$/)])
  await said('close', id)
  expect(await statusStore(at.database).listIncidents({ limit: 5 })).toMatchObject([
    { id, component: 'api', message: 'It is the database.', isObserved: false, endedAt: expect.any(Date) },
  ])
})

test.each([
  [['open', 'kitchen', 'Slow'], 'There are: gateway, api, database, jobs, files.'],
  [['close', 'inc_none'], 'There is no incident inc_none.'],
  [['open', 'api'], 'incident open <part> <title>'],
  [['open', 'api', 'Slow', 'We', 'know', 'why.'], 'in quotation marks'],
  [['update', 'inc_none', 'We', 'know', 'why.'], 'in quotation marks'],
  [[], 'Say incident list'],
])('%j is refused with what can be said', async (words, why) => {
  await expect(said(...words)).rejects.toThrow(why)
})
