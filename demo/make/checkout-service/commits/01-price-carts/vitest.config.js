export default { test: { benchmark: { retainSamples: true } } }
