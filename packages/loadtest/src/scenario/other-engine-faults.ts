import { templateParts } from '../model/template-parts.ts'
import type { Grade } from '../sanity/finding.ts'
import { isOpen } from './load.ts'
import { engineTitle, type OtherEngine, type UserProfile } from './scenario.ts'

interface Fault {
  grade: Grade
  code: string
  /** JSON pointer from the profile on. */
  place: string
  words: string
  advice: string
}

/** What a profile asks of an engine that others made, and cannot have from it. */
export function otherEngineFaults(
  profile: UserProfile,
  engine: OtherEngine,
  projectFiles: ReadonlySet<string>,
): Fault[] {
  return [
    ...missingFiles(engine, projectFiles),
    ...notOfEngine(profile, engine),
    ...(engine.type === 'k6' ? k6LoadFaults(profile, engine) : jmeterLoadFaults(profile)),
  ]
}

function missingFiles({ path, files }: OtherEngine, projectFiles: ReadonlySet<string>): Fault[] {
  const named: [string, string][] = [['/engine/path', path]]
  for (const [index, file] of files.entries()) named.push([`/engine/files/${index}`, file])
  return named
    .filter(([, file]) => !projectFiles.has(file))
    .map(([place, file]) => ({
      grade: 'ERROR',
      code: 'missing_file',
      place,
      words: `${file} is no file of the project.`,
      advice: 'Upload it with upload_project_file.',
    }))
}

/** What the script decides by itself: to leave it out silently would be another load than the one that is meant. */
function notOfEngine(profile: UserProfile, { type }: OtherEngine): Fault[] {
  const { download_bits_per_second: down, upload_bits_per_second: up, latency_ms: latency } = profile.network
  const asked: [field: string, isAsked: boolean][] = [
    ['think_time_factor', profile.think_time_factor !== 1],
    ['pacing', profile.pacing !== null],
    ['network', down !== null || up !== null || latency > 0],
    ['keep_alive', !profile.keep_alive],
    ['http_version', profile.http_version !== 'of_server'],
    ['proxy_url', profile.proxy_url !== null],
  ]
  const variables = Object.entries(profile.variables)
    .filter(([, value]) => templateParts(value).some((part) => typeof part !== 'string'))
    .map(([name]) => name)
  return [
    ...asked
      .filter(([, isAsked]) => isAsked)
      .map(([field]): Fault => ({
        grade: 'ERROR',
        code: 'not_of_engine',
        place: `/${field}`,
        words: `${field} means nothing to ${engineTitle(type)}, whose script decides about that.`,
        advice: 'Leave it out.',
      })),
    ...variables.map((name): Fault => ({
      grade: 'ERROR',
      code: 'not_of_engine',
      place: `/variables/${name}`,
      words: `${engineTitle(type)} gets values as they are written, and ${name} has a variable in it.`,
      advice: 'Write the value itself.',
    })),
  ]
}

function k6LoadFaults({ load }: UserProfile, engine: Extract<OtherEngine, { type: 'k6' }>): Fault[] {
  if (engine.has_own_load) return []
  const isAtRandom = isOpen(load) && load.arrivals === 'poisson'
  const hasIterations = !isOpen(load) && load.iterations_per_user !== null
  const fault = { grade: 'ERROR', code: 'not_of_engine' } as const
  if (isAtRandom)
    return [
      {
        ...fault,
        place: '/load/arrivals',
        words: 'k6 begins iterations evenly spaced only.',
        advice: 'Take constant arrivals.',
      },
    ]
  if (hasIterations)
    return [
      {
        ...fault,
        place: '/load/iterations_per_user',
        words: 'k6 takes iterations per user from its script only.',
        advice: 'Write it into the options of the script, and set has_own_load; or leave it out.',
      },
    ]
  return []
}

function jmeterLoadFaults({ load }: UserProfile): Fault[] {
  if (load.type === 'ramp_up' && load.iterations_per_user === null) return []
  return [
    {
      grade: 'WARNING',
      code: 'load_of_jmx',
      place: '/load',
      words: 'JMeter is told users, ramp-up and duration; its thread groups make the load.',
      advice: 'See that the thread groups of the JMX do what is drawn here.',
    },
  ]
}
