import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleLiveApp, liveAppShape, liveAppsTable, liveProcessShape } from './live-app-shapes.ts'

export const listLiveApps = defineOperation({
  id: 'list_live_apps',
  title: 'List live apps',
  description: 'Running programs that push live metrics to a project: state, last push, what each measures.',
  toolset: 'live',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/live-apps' },
  input: z.strictObject({ project_id: projectId }),
  output: z.object({
    project_id: z.string(),
    live_apps: z.array(
      liveAppShape.extend({ process: liveProcessShape.nullable().describe('The newest one.') }),
    ),
  }),
  problems: ['project_not_found'],
  examples: [
    {
      title: 'One that runs',
      input: { project_id: 'prj_01' },
      output: {
        project_id: 'prj_01',
        live_apps: [
          {
            ...exampleLiveApp,
            process: {
              session: '01jd-shop-1',
              program: 'shop',
              source: 'hotpath',
              runtime: null,
              version: 'c0ffee1',
              host: 'web-1',
              sections_on: ['functions_timing', 'channels'],
            },
          },
        ],
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/live-apps`,
  markdown: ({ live_apps }) => liveAppsTable(live_apps),
})
