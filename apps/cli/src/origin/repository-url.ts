/**
 * `owner/name` of a git remote: `git@host:owner/name.git`, `https://host/owner/name`, `ssh://git@host:22/owner/name`.
 * Undefined for a path on this machine.
 */
export function repositoryOfUrl(url: string | undefined): string | undefined {
  const match = /^(?:[a-z+]+:\/\/[^/]+\/|[^/@\s]+@[^:/\s]+:)(.+?)(?:\.git)?\/?$/.exec(url?.trim() ?? '')
  const path = match?.[1]
  return path?.includes('/') === true && !url?.startsWith('file:') ? path : undefined
}
