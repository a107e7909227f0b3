/* Is inlined into functions of another file. */
static inline unsigned mix(unsigned hash, unsigned byte) {
  hash ^= byte;
  hash *= 16777619u;
  return hash ^ (hash >> 13);
}
