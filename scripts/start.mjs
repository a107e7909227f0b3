// `npm start`: everything in one go, on an embedded database.
import { handOver } from './lib/hand-over.mjs'
import { prepare } from './lib/prepare.mjs'

const help = `Usage: npm start

Starts Flamegate: database, API, worker, MCP endpoint and web pages, as one tree of processes. The first start installs what is
needed and fills a demo workspace; later ones take seconds. Ctrl-C stops it.

Settings (environment variables, all optional):
  FLAMEGATE_PORT        port to listen on (4170)
  FLAMEGATE_HOST        address to listen on (127.0.0.1; 0.0.0.0 for all)
  FLAMEGATE_PUBLIC_URL  where people reach it, when that is another address
  FLAMEGATE_DATA_DIR    database, uploads, secrets (.flamegate)
  FLAMEGATE_LOG_LEVEL   fatal, error, warn, info, debug, trace or silent (warn)
  DATABASE_URL          a PostgreSQL of your own
  REDIS_URL             a Redis for the job queue
  S3_BUCKET, S3_…       a bucket for uploads

Also: npm test, npm run bench, npm run long.`

if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
  process.stdout.write(`${help}\n`)
} else {
  await prepare()
  handOver(['apps/platform/src/main.ts', ...process.argv.slice(2)])
}
