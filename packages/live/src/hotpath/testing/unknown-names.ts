import type { ReceivedLivePush } from '../../push.ts'
import { sectionNames } from '../../sections.ts'

/** Names of counters, levels and distributions that their sections do not have, as `channels.levels.depth`. */
export function unknownNames({ sections }: ReceivedLivePush): string[] {
  const known = new Map(Object.entries(sectionNames))
  return Object.entries(sections).flatMap(([section, { items }]) =>
    items.flatMap((item) =>
      (['counters', 'levels', 'distributions'] as const).flatMap((part) => {
        const names = known.get(section)?.[part] ?? {}
        return Object.keys(item[part] ?? {})
          .filter((name) => !('*' in names) && !(name in names))
          .map((name) => `${section}.${part}.${name}`)
      }),
    ),
  )
}
