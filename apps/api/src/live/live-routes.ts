import { operations, type Caller, type Operation, type Principal } from '@flamegate/contract'
import { reachableRoles, type Execute } from '@flamegate/operations'
import type { BenchNews, BenchResult, Stores } from '@flamegate/operations/ports'
import { problemHandler } from '@flamegate/surfaces'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { OpenStreams } from './open-streams.ts'

export interface LiveOptions {
  /** Calls back for what becomes of runs, on all processes; `onMissed` when something may not have been heard. */
  watch: (listener: {
    onNews: (news: BenchNews) => void
    onMissed: () => void
  }) => Promise<{ close(): Promise<void> }>
  stores: Pick<Stores, 'memberships'> & {
    projects: { find: (caller: Caller, id: string) => Promise<object | undefined> }
    benchRuns: {
      find: (
        caller: Caller,
        id: string,
      ) => Promise<Pick<BenchResult, 'id' | 'state' | 'startedAt' | 'durationMs'> | undefined>
    }
  }
  /** How often streams show that they are alive, and who may read them is looked up again; 15 s when left out. */
  beatMs?: number
}

interface Options extends LiveOptions {
  execute: Execute
  identify: (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>
  docsUrl: string
}

/** What there are streams of: the operation that reads it, which decides who may, and its runs in the answer. */
interface Source {
  operation: Operation
  input: (id: string) => unknown
  runsOf: (answer: unknown) => { projectId: string; runIds: readonly string[] }
  isOfProject: boolean
}

const ofRun: Source = {
  operation: operations.getBenchResult,
  input: (id) => ({ bench_result_id: id }),
  runsOf(answer) {
    const { bench_result: run } = operations.getBenchResult.output.parse(answer)
    return { projectId: run.project_id, runIds: [run.id] }
  },
  isOfProject: false,
}

const ofReport: Source = {
  operation: operations.getBenchReport,
  input: (id) => ({ bench_report_id: id }),
  runsOf(answer) {
    const { bench_report: report, runs } = operations.getBenchReport.output.parse(answer)
    return {
      projectId: report.project_id,
      runIds: runs.flatMap((run) => (run === null ? [] : [run.id])),
    }
  },
  isOfProject: false,
}

const ofProject: Source = {
  operation: operations.listBenchResults,
  input: (id) => ({ project_id: id }),
  runsOf(answer) {
    const { project_id: projectId, bench_results: runs } = operations.listBenchResults.output.parse(answer)
    return { projectId, runIds: runs.filter((run) => run.ended_at === null).map(({ id }) => id) }
  },
  isOfProject: true,
}

interface OfId {
  Params: { id: string }
}

/**
 * Streams of server-sent events that say that there is something new of a run, of the runs of a report, or of all runs of a
 * project. Whoever may read the one may read its stream, for as long as that is so.
 */
export function liveRoutes(options: Options): FastifyPluginAsync {
  const { execute, identify, stores, docsUrl, beatMs = 15_000 } = options

  async function callerOf(principal: Principal): Promise<Caller> {
    return { principal, access: 'read', roles: await reachableRoles(stores, principal) }
  }

  return async (app) => {
    app.setErrorHandler(problemHandler(docsUrl))
    const streams = new OpenStreams(beatMs)
    const watching = await options.watch({
      onNews: (news) => streams.tell(news),
      // Whoever comes again is told how things stand.
      onMissed: () => streams.closeAll(),
    })
    app.addHook('preClose', async () => streams.close())
    app.addHook('onClose', () => watching.close())

    function addRoute(path: string, source: Source): void {
      // A HEAD would open a stream that nobody reads and nothing closes.
      app.get<OfId>(path, { exposeHeadRoute: false }, async (request, reply) => {
        const principal = await identify(request, reply)
        let projectId: string | undefined
        const stream = streams.add(principal, async () => {
          const caller = await callerOf(await identify(request, reply))
          const found = projectId === undefined || (await stores.projects.find(caller, projectId))
          if (found === undefined) throw new Error('The project is out of reach.')
        })
        try {
          const answer = await execute(source.operation, source.input(request.params.id), {
            principal,
            requestId: request.id,
            ip: request.ip,
          })
          const { runIds, ...of } = source.runsOf(answer)
          projectId = of.projectId
          const caller = await callerOf(principal)
          const runs = await Promise.all(runIds.map((id) => stores.benchRuns.find(caller, id)))
          stream.begin({
            runs: runs
              .filter((run) => run !== undefined)
              .map(({ id, state, startedAt, durationMs }) => ({
                id,
                state,
                startedAtMs: startedAt?.getTime() ?? null,
                durationMs,
              })),
            ...(source.isOfProject ? { ofProject: projectId } : {}),
          })
        } catch (error) {
          stream.destroy()
          throw error
        }
        return (
          reply
            .type('text/event-stream; charset=utf-8')
            .header('cache-control', 'no-store, no-transform')
            // Kept for another request it would keep a server that closes from doing so.
            .header('connection', 'close')
            // nginx gathers answers otherwise.
            .header('x-accel-buffering', 'no')
            .send(stream)
        )
      })
    }
    addRoute('/v1/bench-results/:id/events', ofRun)
    addRoute('/v1/reports/:id/events', ofReport)
    addRoute('/v1/projects/:id/bench-results/events', ofProject)
  }
}
