// Loaded before a program of Node.js that is profiled: a signal that nothing in the program handles ends it as if it had
// called process.exit, so that V8 writes the profile.
'use strict'

const { signals } = require('node:os').constants

for (const name of ['SIGINT', 'SIGTERM']) {
  process.on(name, () => {
    if (process.listenerCount(name) === 1) process.exit(128 + signals[name])
  })
}
