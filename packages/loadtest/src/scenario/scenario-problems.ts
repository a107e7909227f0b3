import type { VirtualUser } from '../model/virtual-user.ts'
import { templateParts } from '../model/template-parts.ts'
import { hasPages } from '../outline/has-pages.ts'
import { walkActions } from '../outline/walk-actions.ts'
import type { Grade } from '../sanity/finding.ts'
import { isWebVital } from '../report/web-vitals.ts'
import { notOfBrowser } from './browser-faults.ts'
import { durationText } from './duration-text.ts'
import { assumedRequestMs, estimateIteration, iterationMs } from './estimate-requests.ts'
import { loadDurationMs, loadPeak } from './load-curve.ts'
import { isOpen } from './load.ts'
import { otherEngineFaults } from './other-engine-faults.ts'
import { scenarioExtent } from './scenario-extent.ts'
import type { Scenario, UserProfile } from './scenario.ts'
import { thresholdText } from './threshold-text.ts'

/** What one run may be, at most; Infinity where there is no limit. */
export interface LoadLimits {
  usersMax: number
  ratePerSecondMax: number
  durationMsMax: number
  /** Users that have a browser each. */
  browserUsersMax: number
}

/** A fault in the design of a scenario, found without running it. */
export interface ScenarioProblem {
  grade: Grade
  /** The same for the same kind of fault: `missing_virtual_user`. */
  code: string
  /** JSON pointer of what it is about. */
  pointer: string
  words: string
  advice: string
}

export interface ScenarioSurroundings {
  /** Those of the project that the profiles name, and that are there, by id. */
  virtualUsers: ReadonlyMap<string, VirtualUser>
  /** Paths of the files of the project. */
  files: ReadonlySet<string>
}

/** What cannot work, or probably does not do what is meant. How large it may be is held against limits by `limitProblems`. */
export function scenarioProblems(scenario: Scenario, known: ScenarioSurroundings): ScenarioProblem[] {
  const enabled = scenario.profiles.filter((profile) => profile.enabled)
  const problems: ScenarioProblem[] = []
  if (enabled.length === 0) {
    problems.push({
      grade: 'ERROR',
      code: 'no_profiles',
      pointer: '/profiles',
      words:
        scenario.profiles.length === 0 ? 'It has no user profile.' : 'All its user profiles are disabled.',
      advice: 'Add one: a virtual user under a load.',
    })
  }
  for (const [index, profile] of scenario.profiles.entries()) {
    if (profile.enabled) problems.push(...profileProblems(profile, `/profiles/${index}`, known))
  }
  for (const [index] of scenario.thresholds.entries()) {
    problems.push(...thresholdProblems(scenario, index, enabled, known))
  }
  return problems
}

/** Where a scenario is larger than it may be. */
export function limitProblems(
  scenario: Scenario,
  limits: LoadLimits,
  known: ScenarioSurroundings,
): ScenarioProblem[] {
  const { usersMax, ratePerSecondMax, durationMs } = scenarioExtent(scenario)
  const browserUsers = browserUsersOf(scenario, known)
  return [
    ...beyond(
      'too_many_users',
      usersMax,
      limits.usersMax,
      `It may have ${usersMax} users at once; ${limits.usersMax} are allowed.`,
      'Lower users, or users_max of open loads.',
    ),
    ...beyond(
      'rate_too_high',
      ratePerSecondMax,
      limits.ratePerSecondMax,
      `${ratePerSecondMax} iterations would begin in a second; ${limits.ratePerSecondMax} are allowed.`,
      'Lower the rate.',
    ),
    ...beyond(
      'too_long',
      durationMs,
      limits.durationMsMax,
      `It lasts ${durationText(durationMs)}; ${durationText(limits.durationMsMax)} are allowed.`,
      'Make it shorter.',
    ),
    ...beyond(
      'too_many_browsers',
      browserUsers,
      limits.browserUsersMax,
      `${browserUsers} users would have a browser each; ${limits.browserUsersMax} are allowed.`,
      'Let a few users look at pages, and the others send requests.',
    ),
  ]
}

function beyond(code: string, value: number, max: number, words: string, advice: string): ScenarioProblem[] {
  return value > max ? [{ grade: 'ERROR', code, pointer: '/profiles', words, advice }] : []
}

/** Users at once that have a browser: of profiles whose virtual users have actions in pages. */
export function browserUsersOf(
  scenario: Pick<Scenario, 'profiles'>,
  { virtualUsers }: ScenarioSurroundings,
): number {
  const profiles = scenario.profiles.filter(({ virtual_user_id: id }) => {
    const user = virtualUsers.get(id ?? '')
    return user !== undefined && hasPages(user)
  })
  return scenarioExtent({ profiles }).usersMax
}

function profileProblems(
  profile: UserProfile,
  pointer: string,
  known: ScenarioSurroundings,
): ScenarioProblem[] {
  const { load, engine, virtual_user_id: userId } = profile
  const problem = (
    grade: Grade,
    code: string,
    place: string,
    words: string,
    advice: string,
  ): ScenarioProblem => ({
    grade,
    code,
    pointer: `${pointer}${place}`,
    words: `${profile.name}: ${words}`,
    advice,
  })
  const problems: ScenarioProblem[] = []
  if (loadPeak(load) === 0 || loadDurationMs(load) === 0)
    problems.push(
      problem('ERROR', 'empty_load', '/load', 'this load is none.', 'Give it users or a rate, and time.'),
    )
  if (engine.type !== 'flamegate')
    return [
      ...problems,
      ...otherEngineFaults(profile, engine, known.files).map(({ grade, code, place, words, advice }) =>
        problem(grade, code, place, words, advice),
      ),
    ]
  const user = known.virtualUsers.get(userId ?? '')
  if (user === undefined) {
    const words = `${userId} is no virtual user of the project.`
    const advice = 'Take an id from list_virtual_users.'
    return [...problems, problem('ERROR', 'missing_virtual_user', '/virtual_user_id', words, advice)]
  }
  if (hasPages(user)) {
    for (const field of notOfBrowser(profile)) {
      const words = `${field} means nothing to users with a browser, as those of ${user.name} are.`
      const advice = 'Leave it out, or put pages and requests into profiles of their own.'
      problems.push(problem('ERROR', 'not_of_browser', `/${field}`, words, advice))
    }
  }
  if (hasPlainPassword(profile.proxy_url ?? '')) {
    const words = 'the address of its proxy holds a password in plain text.'
    const advice = 'Make a secret variable, and write ${its_name} there.'
    problems.push(problem('WARNING', 'plain_secret', '/proxy_url', words, advice))
  }
  const iteration = estimateIteration(user)
  if (iteration.requests + iteration.firstRequests + iteration.pages === 0 && iteration.isCertain) {
    const words = `the virtual user ${user.name} sends nothing.`
    problems.push(
      problem('ERROR', 'idle_virtual_user', '/virtual_user_id', words, 'Enable or add its requests.'),
    )
  }
  const lengthMs = iterationMs(iteration, profile)
  const waits =
    iteration.scaledDelayMs + iteration.fixedDelayMs + iteration.pacingMs > 0 || profile.pacing !== null
  if (isOpen(load)) {
    const needed = Math.ceil((loadPeak(load) * lengthMs) / 1000)
    if (needed > load.users_max) {
      const words = `about ${needed} users at once are needed for this rate, where an iteration lasts ${durationText(Math.round(lengthMs))} (${assumedRequestMs} ms for each request); ${load.users_max} are allowed.`
      problems.push(problem('WARNING', 'too_few_users', '/load/users_max', words, 'Raise users_max.'))
    }
  } else if (!waits && loadPeak(load) > 0) {
    const words = 'its users never wait: each sends as fast as it is answered.'
    const advice = 'Add think times or a pacing, unless that is what you want.'
    problems.push(problem('INFO', 'no_think_time', '/pacing', words, advice))
  }
  return problems
}

function hasPlainPassword(url: string): boolean {
  const [, password = ''] = /^https?:\/\/[^@:]*:(.*)@/i.exec(url) ?? []
  return password !== '' && templateParts(password).every((part) => typeof part === 'string')
}

function thresholdProblems(
  scenario: Scenario,
  index: number,
  enabled: UserProfile[],
  known: ScenarioSurroundings,
): ScenarioProblem[] {
  const { virtualUsers } = known
  const threshold = scenario.thresholds[index]
  if (threshold === undefined) return []
  const { scope } = threshold
  const fault = (grade: Grade, code: string, words: string, advice: string): ScenarioProblem[] => [
    { grade, code, pointer: `/thresholds/${index}`, words: `${thresholdText(threshold)}: ${words}`, advice },
  ]
  const isSame = (each: Scenario['thresholds'][number]) => thresholdText(each) === thresholdText(threshold)
  if (scenario.thresholds.findIndex(isSame) < index)
    return fault('WARNING', 'repeated_threshold', 'it is there already.', 'Remove one.')
  if (isWebVital(threshold.metric) && browserUsersOf({ profiles: enabled }, known) === 0) {
    const words = 'no user of the scenario has a browser, so that it is never measured.'
    return fault('WARNING', 'no_browser_users', words, 'Add a few users whose actions are in pages.')
  }
  if (scope.type === 'whole') return []
  if (scope.type === 'profile') {
    if (enabled.some(({ id }) => id === scope.profile_id)) return []
    const called = enabled.find(({ name }) => name === scope.profile_id)
    return fault(
      'ERROR',
      'missing_profile',
      'there is no such user profile that is enabled.',
      called === undefined
        ? 'Name one by its id.'
        : `Profiles are told by their ids: write profile "${called.id}".`,
    )
  }
  // What other engines do is not known here.
  if (enabled.some(({ engine }) => engine.type !== 'flamegate')) return []
  const actions = enabled
    .flatMap(({ virtual_user_id: id }) => virtualUsers.get(id ?? '') ?? [])
    .flatMap((user) => [...walkActions(user)].map(({ action }) => action))
  if (scope.type === 'container') {
    if (actions.some((action) => 'actions' in action && action.name === scope.name)) return []
    const words = 'no virtual user of the scenario has such a container.'
    return fault('ERROR', 'missing_action', words, 'Take names from get_virtual_user.')
  }
  if (actions.some(({ id }) => id === scope.action_id)) return []
  const named = actions.find(({ name }) => name === scope.action_id)
  return fault(
    'ERROR',
    'missing_action',
    'no virtual user of the scenario has such an action.',
    named === undefined
      ? 'Actions are told by their ids: take them from get_virtual_user.'
      : `Actions are told by their ids: write action "${named.id}".`,
  )
}
