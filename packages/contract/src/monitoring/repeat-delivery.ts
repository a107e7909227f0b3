import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { deliveryId, deliveryShape, exampleDelivery } from './shapes.ts'

export const repeatDelivery = defineOperation({
  id: 'repeat_delivery',
  title: 'Send once more',
  description: 'Send a message once more, whatever became of it, with the same id and the same body.',
  toolset: 'monitoring',
  effect: 'write',
  scopes: ['admin'],
  http: { method: 'POST', path: '/v1/deliveries/{delivery_id}/repeat' },
  mcp: false,
  input: z.strictObject({ delivery_id: deliveryId }),
  output: z.object({ delivery: deliveryShape }),
  problems: ['delivery_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'After a mistake on the other side',
      input: { delivery_id: 'dlv_01' },
      output: {
        delivery: {
          ...exampleDelivery,
          state: 'waiting',
          attempt_count: 0,
          next_attempt_at: '2026-11-20T10:05:00.000Z',
        },
      },
    },
  ],
  link: ({ delivery }) => `/projects/${delivery.project_id}/notifications`,
  markdown: ({ delivery }) => `${delivery.id} (${delivery.event}) is sent once more.`,
})
