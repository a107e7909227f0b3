import { walkActions, type Scenario, type ScenarioProblem, type VirtualUser } from '@flamegate/loadtest'

/** What a scenario asks for that agents cannot do: it would be another load than the one that is meant. */
export function unsupported(
  { profiles }: Scenario,
  virtualUsers: ReadonlyMap<string, VirtualUser>,
): ScenarioProblem[] {
  return profiles.flatMap((profile, index) => {
    if (!profile.enabled) return []
    const {
      download_bits_per_second: down,
      upload_bits_per_second: up,
      latency_ms: latency,
    } = profile.network
    const user = virtualUsers.get(profile.virtual_user_id ?? '')
    const asked: [field: string, isAsked: boolean, words: string][] = [
      ['engine', profile.engine.type !== 'flamegate', `the engine ${profile.engine.type}`],
      [
        'pacing',
        profile.pacing !== null,
        'pacing by profile; a pacing action in the virtual user is possible',
      ],
      ['network', down !== null || up !== null || latency > 0, 'limits of the network'],
      ['keep_alive', !profile.keep_alive, 'a new connection for each request'],
      [
        'http_version',
        profile.http_version !== 'of_server',
        'a version of HTTP by profile; that of the server is used',
      ],
      ['proxy_url', profile.proxy_url !== null, 'a proxy'],
      ['virtual_user_id', user !== undefined && hasPages(user), 'pages in a real browser'],
    ]
    return asked
      .filter(([, isAsked]) => isAsked)
      .map(([field, , words]): ScenarioProblem => ({
        grade: 'ERROR',
        code: 'not_supported_yet',
        pointer: `/profiles/${index}/${field}`,
        words: `${profile.name} asks for what agents cannot do yet: ${words}.`,
        advice: 'Leave it out.',
      }))
  })
}

function hasPages(user: VirtualUser): boolean {
  return Array.from(walkActions(user)).some(({ action }) => action.enabled && action.type === 'page')
}
