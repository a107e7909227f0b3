import { operations } from '@flamegate/contract'
import { problemHandler } from '@flamegate/surfaces'
import type { FastifyPluginCallback } from 'fastify'
import { gone, openLink, originOf, orGone } from './shared-links.ts'
import type { SharedRoutesOptions } from './shared-profile-routes.ts'

interface OfReport {
  Params: { id: string }
}
interface OfItem {
  Params: { id: string; item_id: string }
}

/**
 * `GET /v1/shared/reports/<id>` and `…/items/<item>/values`: the report of a public link and the values of its items, as
 * get_bench_report and get_report_item_values answer, and when the link ends. The link's secret is the only credential, so
 * register it outside of anything that asks for another one.
 */
export function sharedReportRoutes({ links, execute, docsUrl }: SharedRoutesOptions): FastifyPluginCallback {
  return (app, _options, done) => {
    app.setErrorHandler(problemHandler(docsUrl))

    app.get<OfReport>('/v1/shared/reports/:id', async (request, reply) => {
      const link = await openLink(links, request.params.id, request)
      if (link.benchReportId === null) throw gone()
      const input = { bench_report_id: link.benchReportId }
      const answer = await orGone('bench_report_not_found', () =>
        execute(operations.getBenchReport, input, originOf(link, 'reports', request, reply)),
      )
      return reply.header('cache-control', 'no-store').send({ ...answer, expires_at: link.expiresAt })
    })

    app.get<OfItem>('/v1/shared/reports/:id/items/:item_id/values', async (request, reply) => {
      const { id, item_id } = request.params
      const link = await openLink(links, id, request)
      if (link.benchReportId === null) throw gone()
      const input = { bench_report_id: link.benchReportId, item_id }
      const answer = await orGone('bench_report_not_found', () =>
        execute(operations.getReportItemValues, input, originOf(link, 'reports', request, reply)),
      )
      return reply.header('cache-control', 'no-store').send(answer)
    })
    done()
  }
}
