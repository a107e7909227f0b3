import { expect, test } from 'vitest'
import { letsThrough, type NotificationFilter, type RunFacts } from './notifications.ts'

const run: RunFacts = {
  projectId: 'prj_1',
  scenarioName: 'Nightly checkout',
  durationMs: 60_000,
  usersMax: 50,
}
const none: NotificationFilter = {
  scenario_name: null,
  duration_ms_min: null,
  users_min: null,
  project_id: null,
}

test.each<[Partial<NotificationFilter>, boolean]>([
  [{}, true],
  [{ project_id: 'prj_1' }, true],
  [{ project_id: 'prj_2' }, false],
  [{ users_min: 50 }, true],
  [{ users_min: 51 }, false],
  [{ duration_ms_min: 60_000 }, true],
  [{ duration_ms_min: 60_001 }, false],
  [{ scenario_name: { text: 'ly ch', match: 'contains' } }, true],
  [{ scenario_name: { text: 'Nightly', match: 'starts_with' } }, true],
  [{ scenario_name: { text: 'Nightly', match: 'ends_with' } }, false],
  [{ scenario_name: { text: 'checkout', match: 'ends_with' } }, true],
  [{ scenario_name: { text: 'Nightly', match: 'equals' } }, false],
  [{ scenario_name: { text: 'Nightly checkout', match: 'equals' }, users_min: 51 }, false],
])('%j lets the run through: %s', (filter, expected) => {
  expect(letsThrough({ ...none, ...filter }, run)).toBe(expected)
})
