import { z } from 'zod'

/** Where memory is allocated. */
export const heapSiteFields = {
  function_name: z.string().describe('The innermost function of the program.'),
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  origin: z.string(),
  allocator: z
    .string()
    .nullable()
    .describe('What the allocation is counted at, such as runtime.mallocgc; null: the function itself.'),
  path: z.array(z.string()).describe('From the function to the allocator.'),
}

export const exampleHeapSite = {
  function_name: 'main.leakBuffers',
  file: '/app/main.go',
  line: 86,
  origin: 'User code',
  allocator: null,
  path: ['main.leakBuffers'],
}
