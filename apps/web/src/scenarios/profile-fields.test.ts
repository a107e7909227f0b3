import { expect, test } from 'vitest'
import { mainFields } from './profile-fields.ts'

const labels = (profile: Parameters<typeof mainFields>[0]) =>
  mainFields(profile, []).map(({ label }) => label)

test('who runs a script is asked for no virtual user', () => {
  const engine = { type: 'k6', path: 'load.js' }
  expect(labels({ engine, virtual_user_id: null })).toEqual(['Name', 'Agent group', 'Load'])
  // It cannot stay, and so it is seen.
  expect(labels({ engine, virtual_user_id: 'vu_1' })).toContain('Virtual user')
  expect(labels({ engine: { type: 'flamegate' }, virtual_user_id: null })).toContain('Virtual user')
  expect(labels({})).toContain('Virtual user')
})
