import module from 'node:module'

// A thread does not share what its process has compiled, and would compile the engine anew for each run, which takes half a second
// of a processor.
module.enableCompileCache?.()
await import('./load-thread.ts')
