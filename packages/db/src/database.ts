import type { Caller } from '@flamegate/contract'
import { PrismaPg } from '@prisma/adapter-pg'
import { escapeLiteral, Pool, TypeOverrides, types } from 'pg'
import type { ClientBase } from 'pg'
import { connectOptions } from './connect.ts'
import { translateError, unavailable } from './database-errors.ts'
import { PrismaClient, type Prisma } from './generated/client.ts'
import { beginStatement, enterStatement, rowScope, type RowScope } from './row-scope.ts'
import { statementName } from './sql.ts'

export interface DatabaseOptions {
  /** As `flamegate_app`. */
  appUrl: string
  /** As `flamegate_auth`. */
  authUrl: string
  /** Connections for operations; authentication takes half as many on top. */
  poolSize: number
  /** Told of connections that break while nobody uses them, of what could not be stored in the background, and of audit anchors. */
  log: {
    info(fields: object, message: string): void
    error(fields: { err: unknown }, message: string): void
  }
}

export type Transaction = Prisma.TransactionClient

export interface Database {
  /**
   * Runs Prisma queries in one transaction that sees and changes what the caller may. Does not begin when nobody waits
   * for the answer of a reading call any more: the signal's reason is thrown.
   */
  asCaller<T>(caller: Caller, work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** The same for SQL; faster, for what is asked often. */
  asCallerSql<T>(caller: Caller, work: (client: ClientBase) => Promise<T>): Promise<T>
  /** The same without a caller, for what the platform itself writes on somebody's behalf. */
  inScope<T>(scope: RowScope, work: (client: ClientBase) => Promise<T>): Promise<T>
  /** Runs SQL in one transaction as `flamegate_auth`. */
  asAuth<T>(work: (client: ClientBase) => Promise<T>): Promise<T>
  /** The same in a person's name, for what the policies of `flamegate_auth` let them do. */
  asPerson<T>(userId: string, work: (client: ClientBase) => Promise<T>): Promise<T>
  /** Single statements as `flamegate_auth`. */
  auth: Pool
  authUrl: string
  log: DatabaseOptions['log']
  /** How the pools of this process stand. */
  pools(): PoolState[]
  close(): Promise<void>
}

/** Connections of a pool: those in use, those that rest, and who waits for one. */
export interface PoolState {
  pool: 'app' | 'auth'
  sizeMax: number
  used: number
  idle: number
  waiting: number
}

const statementTimeoutMs = 30_000

/** As PostgreSQL writes a time of this era to a session in UTC; never more than milliseconds, which is what is stored. */
const utcTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/

const columnTypes = new TypeOverrides()
// Counts and sizes are bigint in the database and stay below 2^53: numbers, not the driver's strings.
columnTypes.setTypeParser(types.builtins.INT8, Number)
// Of a history of thousands of points, the driver's own reading of times is a tenth.
const parseAnyTime = types.getTypeParser(types.builtins.TIMESTAMPTZ)
columnTypes.setTypeParser(types.builtins.TIMESTAMPTZ, (text) =>
  utcTime.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseAnyTime(text),
)

/** Connects on first use. Close it to let the process end. */
export function openDatabase(options: DatabaseOptions): Database {
  const app = openPool(options.appUrl, 'flamegate app', options.poolSize, options.log)
  const auth = openPool(options.authUrl, 'flamegate auth', Math.ceil(options.poolSize / 2), options.log)
  const adapter = new PrismaPg(app, { statementNameGenerator: ({ sql }) => statementName(sql) ?? '' })
  const prisma = new PrismaClient({ adapter })

  const inScope = <T>(scope: RowScope, work: (client: ClientBase) => Promise<T>) =>
    inTransaction(app, beginStatement(scope), work)

  return {
    auth,
    authUrl: options.authUrl,
    log: options.log,
    async asCaller(caller, work) {
      caller.signal?.throwIfAborted()
      try {
        return await prisma.$transaction(
          async (transaction) => {
            await transaction.$executeRaw(enterStatement(rowScope(caller)))
            return work(transaction)
          },
          { maxWait: 5_000, timeout: statementTimeoutMs },
        )
      } catch (error) {
        throw translateError(error)
      }
    },
    async asCallerSql(caller, work) {
      caller.signal?.throwIfAborted()
      return inScope(rowScope(caller), work)
    },
    inScope,
    asAuth: (work) => inTransaction(auth, 'BEGIN', work),
    asPerson: (userId, work) =>
      inTransaction(auth, `BEGIN; SET LOCAL flamegate.user_id = ${escapeLiteral(userId)}`, work),
    pools: () => [stateOf('app', app), stateOf('auth', auth)],
    async close() {
      await prisma.$disconnect()
      await Promise.all([app.end(), auth.end()])
    },
  }
}

function stateOf(name: PoolState['pool'], pool: Pool): PoolState {
  const { totalCount, idleCount, waitingCount } = pool
  return {
    pool: name,
    sizeMax: pool.options.max,
    used: totalCount - idleCount,
    idle: idleCount,
    waiting: waitingCount,
  }
}

function openPool(url: string, name: string, size: number, log: DatabaseOptions['log']): Pool {
  const pool = new Pool({
    ...connectOptions(url, name),
    max: size,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // A server that went away without a word does not answer the timeouts above.
    query_timeout: statementTimeoutMs + 5_000,
    types: columnTypes,
  })
  // One that breaks while it is used tells whoever waits for its query. It tells this event, too, which would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', (err) => {
    // The driver's pool hangs the whole connection on the error; nobody wants that in a log.
    Reflect.deleteProperty(err, 'client')
    // The pool calls itself ended while its connections are still saying goodbye.
    if (!pool.ending) log.error({ err }, 'database connection lost')
  })
  return pool
}

async function inTransaction<T>(
  pool: Pool,
  begin: string,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error)
  })
  let broken: Error | undefined
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: unknown) => {
      // Not to be used again: nobody knows what state it is in.
      broken = failure instanceof Error ? failure : new Error('ROLLBACK failed', { cause: failure })
    })
    throw translateError(error)
  } finally {
    client.release(broken)
  }
}
