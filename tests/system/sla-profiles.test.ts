import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLoadedProject, type LoadedProject } from './loaded-project.ts'
import { invite, platform, signUp, type Person } from './person.ts'

/** What a run is held against, second by second, and what that makes of it. */

let owner: Person
let project: LoadedProject

beforeAll(async () => {
  owner = await signUp('Leveller')
  project = await startLoadedProject(platform().url, owner, 'Levelled')
})
afterAll(() => project?.stop())

const p95 = (severity: string, range: object, condition?: object) => ({
  severity,
  metric: 'duration',
  statistic: 'p95',
  ...range,
  ...(condition === undefined ? {} : { condition }),
})

const set = (name: string, rest: object) =>
  owner.client.call(operations.setSlaProfile, { project_id: project.id, name, ...rest })

test('a run fails by a band of what it runs, for as long as that took, and tells which', async () => {
  const { sla_profile: made } = await set('Checkout', {
    bands: [
      p95('warning', { from: 20, to: 30 }),
      p95('critical', { from: 30 }, { type: 'duration', duration_ms: 2000 }),
      { severity: 'critical', metric: 'error_share', from: 1 },
    ],
    attachments: [{ virtual_user_id: project.virtualUserId, action_id: 'act_checkout' }],
  })
  expect(made).toMatchObject({ version: 1, attachments: [{ of: 'Buyer, checkout' }] })
  await set('Buyer as a whole', {
    bands: [
      p95('warning', { from: 20 }),
      { severity: 'critical', metric: 'rate', to: 0.5, condition: { type: 'occurrences', times: 60 } },
    ],
    attachments: [{ virtual_user_id: project.virtualUserId }],
  })
  await set('Attached to nothing', { bands: [p95('critical', { from: 0 })] })

  const done = await project.run(await project.createScenario('Held', { thresholds: ['error share < 1 %'] }))
  expect(done.bench_result).toMatchObject({
    state: 'FINISHED',
    message: 'The threshold was kept. SLA: 1 critical and 1 warning of 4.',
  })
  const verdict = (name: string, metric: string) =>
    done.sla.find((each) => each.name === name && each.metric === metric)
  expect(done.sla).toHaveLength(4)
  expect(verdict('Checkout', 'p95 duration')).toMatchObject({
    sla_profile_id: made.id,
    of: 'Buyer, checkout',
    unit: 'ms',
    severity: 'critical',
  })
  expect(verdict('Checkout', 'p95 duration')?.value).toBeGreaterThan(39)
  expect(verdict('Checkout', 'p95 duration')?.words).toMatch(
    /^p95 duration was >= 30 ms for \d s without a break/,
  )
  expect(verdict('Checkout', 'error share')).toMatchObject({ severity: 'passed', value: 0 })
  expect(verdict('Buyer as a whole', 'p95 duration')).toMatchObject({ of: 'Buyer', severity: 'warning' })
  expect(verdict('Buyer as a whole', 'rate')).toMatchObject({ severity: 'passed' })

  const { values } = await owner.client.call(operations.getReportItemValues, {
    bench_report_id: done.bench_result.bench_report_id ?? '',
    item_id: 'thresholds',
  })
  expect(values).toMatchObject({ type: 'thresholds', bands: done.sla })

  // It was held against what was attached when it began.
  await owner.client.call(operations.deleteSlaProfile, { sla_profile_id: made.id })
  const { sla } = await owner.client.call(operations.getBenchResult, {
    bench_result_id: done.bench_result.id,
  })
  expect(sla).toEqual(done.sla)
  const { sla_profiles } = await owner.client.call(operations.listSlaProfiles, { project_id: project.id })
  expect(sla_profiles.map(({ name }) => name)).toEqual(['Attached to nothing', 'Buyer as a whole'])

  // It comes back with all that it was attached to, unless another one has its name by now.
  const { sla_profile: back } = await owner.client.call(operations.restoreSlaProfile, {
    sla_profile_id: made.id,
  })
  expect(back).toEqual(made)
  await owner.client.call(operations.deleteSlaProfile, { sla_profile_id: made.id })
  await set('Checkout', { bands: [p95('critical', { from: 400 })] })
  const restoring = owner.client.call(operations.restoreSlaProfile, { sla_profile_id: made.id })
  await expect(restoring).rejects.toMatchObject({ code: 'conflict' })
})

test('a profile is changed by its name: what is left out stays', async () => {
  const bands = [p95('critical', { from: 400 })]
  await set('Changed', { bands, description: 'As agreed' })
  const { sla_profile: changed } = await set('Changed', {
    attachments: [{ virtual_user_id: project.virtualUserId }],
    if_version: 1,
  })
  expect(changed).toMatchObject({
    version: 2,
    description: 'As agreed',
    bands: [{ text: 'critical: p95 duration >= 400 ms, once' }],
    attachments: [{ of: 'Buyer' }],
  })
  await expect(set('Changed', { bands, if_version: 1 })).rejects.toMatchObject({ code: 'version_mismatch' })
})

test('what is suggested can be set as it is', async () => {
  const { suggested_bands: suggested } = await owner.client.call(operations.listSlaProfiles, {
    project_id: project.id,
  })
  const bands = suggested.map(({ text: _text, ...band }) => band)
  const { sla_profile: made } = await set('Suggested', { bands })
  expect(made.bands).toEqual(suggested)
})

test.each([
  [{}, 'invalid_input', 'bands'],
  [{ bands: [] }, 'invalid_input', 'bands'],
  [{ bands: [p95('fatal', { from: 1 })] }, 'invalid_input', 'bands.0.severity'],
  [{ bands: [p95('critical', {})] }, 'invalid_input', 'bands.0.from'],
  [{ bands: [{ severity: 'critical', metric: 'duration', from: 1 }] }, 'invalid_input', 'bands.0.statistic'],
  [
    { bands: [p95('critical', { from: 1 })], attachments: [{ virtual_user_id: 'vu_none' }] },
    'virtual_user_not_found',
    'attachments.0.virtual_user_id',
  ],
])('%j is refused, naming the field', async (given, code, field) => {
  await expect(set('Refused', given)).rejects.toMatchObject({ code, errors: [{ field }] })
})

test('an action that the virtual user has not cannot be attached to', async () => {
  const attachments = [{ virtual_user_id: project.virtualUserId, action_id: 'act_none' }]
  await expect(set('Refused', { bands: [p95('critical', { from: 1 })], attachments })).rejects.toMatchObject({
    code: 'action_not_found',
    errors: [{ field: 'attachments.0.action_id' }],
  })
})

test('viewers see profiles and change none, and others see none', async () => {
  const viewer = await invite(owner, 'viewer', 'Watcher')
  const listed = await viewer.client.call(operations.listSlaProfiles, { project_id: project.id })
  expect(listed.sla_profiles.length).toBeGreaterThan(0)
  const asViewer = viewer.client.call(operations.setSlaProfile, {
    project_id: project.id,
    name: 'Theirs',
    bands: [p95('critical', { from: 1 })],
  })
  await expect(asViewer).rejects.toMatchObject({ code: 'insufficient_role' })
  const stranger = await signUp('Stranger')
  const asStranger = stranger.client.call(operations.listSlaProfiles, { project_id: project.id })
  await expect(asStranger).rejects.toMatchObject({ code: 'project_not_found' })
  const [profile] = listed.sla_profiles
  const removal = stranger.client.call(operations.deleteSlaProfile, { sla_profile_id: profile?.id ?? '' })
  await expect(removal).rejects.toMatchObject({ code: 'sla_profile_not_found' })
})
