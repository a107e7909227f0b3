import { repositoryPath } from '@flamegate/profiles'
import type { Forge, Profile } from '../ports/index.ts'

/** How sites show a file at a commit: `<url>/<repository>/<folder>/<commit>/<path><line>12`. */
const forges: Readonly<Record<Forge, { url: string; folder: string; line: string }>> = {
  github: { url: 'https://github.com', folder: 'blob', line: '#L' },
  gitlab: { url: 'https://gitlab.com', folder: '-/blob', line: '#L' },
  bitbucket: { url: 'https://bitbucket.org', folder: 'src', line: '#lines-' },
  // Forgejo has the same addresses.
  gitea: { url: 'https://gitea.com', folder: 'src/commit', line: '#L' },
}

/**
 * The address of a function's source on the site that has the repository: of code of the project itself, in profiles of a run,
 * whose commit is known. `line` is 0 where it is not known; then the address is that of the file.
 */
export function sourceLink(
  source: Profile['source'],
  { file, line, origin }: { file: string; line: number; origin: string },
): string | null {
  const { repository = null, commitHash = null } = source ?? {}
  if (repository === null || commitHash === null || origin !== 'User code') return null
  const path = repositoryPath(file, repository)
  if (path === undefined) return null
  const forge = forges[source?.forge ?? 'github']
  const parts = [
    source?.forgeUrl ?? forge.url,
    repository,
    forge.folder,
    encodeURIComponent(commitHash),
    ...path.split('/').map((name) => encodeURIComponent(name)),
  ]
  return `${parts.join('/')}${line > 0 ? `${forge.line}${line}` : ''}`
}
