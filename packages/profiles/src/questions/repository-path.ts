/** Where CI systems and images check a repository out, up to the repository itself; `*` is one folder. */
const checkouts = [
  // GitHub Actions: on Linux and macOS, in a container, on Windows; Gitea and Forgejo do it alike
  '/home/runner/work/*/*',
  '/Users/runner/work/*/*',
  '/__w/*/*',
  '/github/workspace',
  '?:/a/*/*',
  // Azure Pipelines, Bitbucket, CircleCI, Travis CI, Drone and Woodpecker, Buildkite, Jenkins
  '/home/vsts/work/*/s',
  '/opt/atlassian/pipelines/agent/build',
  '/home/circleci/project',
  '/root/project',
  '/home/travis/build/*/*',
  '/drone/src',
  '/woodpecker/src/*/*/*',
  '/var/lib/buildkite-agent/builds/*/*/*',
  '/var/lib/jenkins/workspace/*',
  // Development containers, Go's old workspaces, and images as they are mostly written
  '/workspaces/*',
  '/go/src/*/*/*',
  '/usr/src/app',
].map(
  (folder) =>
    new RegExp(`^${folder.replaceAll('*', '[^/]+').replace('?', '[A-Za-z]').replaceAll('/', '\\/')}\\/`),
)

const longestPath = 1000

/**
 * The path of a source file within its repository `owner/name`, told from where it was when it was compiled or run; undefined
 * when that cannot be told, as of scripts from a web server, of bare file names and of classes of Java, whose folder of sources
 * is not known.
 */
export function repositoryPath(file: string, repository: string): string | undefined {
  if (file.length > longestPath) return undefined
  const path = file
    .replaceAll('\\', '/')
    .replace(/^(file:\/\/|webpack:\/\/[^/]*\/)/, '')
    .replace(/^\/(?=[A-Za-z]:\/)|^(\.\/)+/, '')
  const inside = withoutCheckout(path, repository)
  const isTold =
    inside !== undefined &&
    /^([^/<[][^/]*\/)*[^/<[][^/]*\.\w+$/.test(inside) &&
    !/^[a-z][\w+.-]*:|(^|\/)\.{1,2}\//i.test(inside)
  return isTold ? inside : undefined
}

function withoutCheckout(path: string, repository: string): string | undefined {
  for (const checkout of checkouts) {
    const folder = checkout.exec(path)?.[0]
    if (folder !== undefined) return path.slice(folder.length)
  }
  const isAbsolute = /^(\/|[A-Za-z]:\/)/.test(path)
  const name = repository.slice(repository.indexOf('/') + 1)
  // `github.com/owner/name/…` of Go, `/builds/owner/name/…` of GitLab, `/home/me/code/name/…`.
  for (const folder of [`/${repository}/`, ...(isAbsolute ? [`/${name}/`] : [])]) {
    const at = path.indexOf(folder)
    if (at >= 0) return path.slice(at + folder.length)
  }
  if (isAbsolute) return undefined
  const isClass = /\.(java|kt|scala|groovy|clj)$/.test(path) && !path.includes('src/')
  return isClass || !path.includes('/') ? undefined : path
}
