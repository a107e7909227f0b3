import type { Variable } from '@flamegate/loadtest'
import { wordsOf } from '../action-failure.ts'
import type { Compiler } from '../program/compiler.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'
import { csvFeed } from './csv-feed.ts'
import { ownCursor, sharedCursor, sharedPlaces } from './feed.ts'
import type { Cursor, Feed, SharedPlaces } from './feed.ts'
import { readRows } from './read-rows.ts'
import { valueFeed } from './value-feed.ts'

/** Something that has values for one or more variables, for one user. */
export interface NamedFeed {
  /** The variable that it is of. */
  variable: string
  /** It has values for: itself, or the columns of a file. */
  names: readonly string[]
  feed: Feed
}

/** The variables of a project that a program uses. Opened once, for all of its users. */
export interface VariablePool {
  constants: ReadonlyMap<string, CompiledTemplate>
  secretNames: ReadonlySet<string>
  /** Whether one of the secrets is used. */
  usesSecrets: boolean
  /** All values of a list, for those that go through it. */
  lists: ReadonlyMap<string, readonly CompiledTemplate[]>
  /** Why a variable has no value, by its name. */
  problems: ReadonlyMap<string, string>
  /** Of files, whose columns nobody knows. */
  fileProblems: readonly string[]
  /** Names of those that all users share. */
  shared: ReadonlySet<string>
  /** Of these the one that has no more values, for whoever comes next. */
  exhausted: () => Pick<NamedFeed, 'variable' | 'feed'> | undefined
  /** Those of one user, who shares some of them with the others. */
  feeds: () => NamedFeed[]
}

/**
 * Compiles what is used, and reads the files. What cannot be read becomes a problem, told where the variable is used.
 * @param places Of all threads that run the same document
 * @param rowsMax Of a file, where only what is used is asked for
 */
export async function openVariables(
  variables: readonly Variable[],
  compiler: Compiler,
  openFile: (path: string) => Promise<Uint8Array | undefined>,
  places: SharedPlaces = sharedPlaces(variables.length),
  rowsMax = Infinity,
): Promise<VariablePool> {
  const shared = new Set<string>()
  /** That may come to their end. */
  const ending: NamedFeed[] = []
  const cursors = (variable: Variable, isShared: boolean): (() => Cursor) => {
    if (!isShared) return ownCursor
    shared.add(variable.name)
    const cursor = sharedCursor(places, variables.indexOf(variable))
    return () => cursor
  }
  const constants = new Map<string, CompiledTemplate>()
  const lists = new Map<string, CompiledTemplate[]>()
  const problems = new Map<string, string>()
  const fileProblems: string[] = []
  const makers: (() => NamedFeed)[] = []
  const waiting = new Set(variables)
  const secretNames = new Set(variables.filter(({ type }) => type === 'secret').map(({ name }) => name))
  // What a variable is made of may name others, so it is looked again until nothing is added.
  for (let count = -1; count !== waiting.size;) {
    count = waiting.size
    for (const variable of waiting) {
      if (variable.type === 'csv' || !compiler.isUsed(variable.name)) continue
      waiting.delete(variable)
      if (variable.type === 'constant') constants.set(variable.name, compiler.template(variable.value))
      if (variable.type === 'constant' || variable.type === 'secret') continue
      if (variable.type === 'list')
        lists.set(
          variable.name,
          variable.values.map((value) => compiler.template(value)),
        )
      try {
        const feedOf = valueFeed(variable, compiler)
        const cursorOf = cursors(variable, 'sharing' in variable && variable.sharing === 'shared')
        makers.push(() => ({ variable: variable.name, names: [variable.name], feed: feedOf(cursorOf()) }))
      } catch (error) {
        problems.set(variable.name, wordsOf(error))
      }
    }
  }
  for (const variable of waiting) {
    if (variable.type !== 'csv') continue
    if (variable.columns.length > 0 && !variable.columns.some((column) => compiler.isUsed(column))) continue
    try {
      const rows = await readRows(variable, openFile, rowsMax)
      if (!rows.columns.some((column) => compiler.isUsed(column))) continue
      const cursorOf = cursors(variable, variable.sharing === 'shared' || variable.order === 'unique')
      const make = (): NamedFeed => ({
        variable: variable.name,
        names: rows.columns,
        feed: csvFeed(variable, rows, cursorOf()),
      })
      makers.push(make)
      if (shared.has(variable.name)) ending.push(make())
    } catch (error) {
      for (const column of variable.columns) problems.set(column, wordsOf(error))
      if (variable.columns.length === 0) fileProblems.push(wordsOf(error))
    }
  }
  const usesSecrets = [...secretNames].some((name) => compiler.isUsed(name))
  const feeds = () => makers.map((make) => make())
  const exhausted = () => ending.find(({ feed }) => feed.isExhausted?.() === true)
  return { constants, secretNames, usesSecrets, lists, problems, fileProblems, shared, exhausted, feeds }
}
