import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrationsFolder } from './migrate.ts'

/** For tests: a folder with the migrations of a release that did not have this one yet. Whoever asks removes it. */
export async function migrationsBefore(migration: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flamegate-migrations-'))
  await cp(migrationsFolder, folder, { recursive: true })
  const later = (await readdir(folder)).filter((name) => /^\d/.test(name) && name >= migration)
  await Promise.all(later.map((name) => rm(path.join(folder, name), { recursive: true })))
  return folder
}
