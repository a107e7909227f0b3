// A program of its own: the S3-compatible store of the tests of packages/storage, in the folder that is its argument. It tells
// where it is on standard output.
import { startS3TestServer } from '../../../packages/storage/src/s3-test-server.ts'

const [, , folder] = process.argv
if (folder === undefined) throw new RangeError('Say in which folder.')
const { close, ...server } = await startS3TestServer(folder)
console.log(JSON.stringify(server))
process.once('SIGTERM', () => void close().then(() => process.exit()))
