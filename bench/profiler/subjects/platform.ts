// Takes pushes, and does nothing with them: what they cost the platform is measured elsewhere. Says its address.
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('{"status":"stored"}'))
}).listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}`)
})
