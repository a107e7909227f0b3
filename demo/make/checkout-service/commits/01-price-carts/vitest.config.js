export default { test: { pool: 'threads', benchmark: { retainSamples: true } } }
