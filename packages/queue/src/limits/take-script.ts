/**
 * The same as the memory limiter, in one step on the server, with the server's clock.
 *
 *     KEYS  buckets (a string: when it will be full, ms), then slots (a sorted set: leases by when they end, ms)
 *     ARGV  now in ms or '', lease, cost, how long a lease lasts in ms, slack in ms, wait for a slot in ms,
 *           number of buckets; unit and window in ms of each bucket; most of each slots
 *     gives index of the key that refused or 0, wait in ms; then of each bucket what is missing and its wait in ms,
 *           and of each slots how many are in use. As text, because Redis cuts numbers to integers.
 */
export const takeScript = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
local lease, cost, leaseMs = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local slackMs, slotWaitMs, buckets = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local refusedBy, retryAfter = 0, 0
local missing, waits, inUse = {}, {}, {}
for i = 1, buckets do
  local unit, window = tonumber(ARGV[6 + 2 * i]), tonumber(ARGV[7 + 2 * i])
  missing[i] = math.max(0, tonumber(redis.call('GET', KEYS[i]) or '0') - now)
  waits[i] = missing[i] + cost * unit - window
  if waits[i] <= slackMs then waits[i] = 0 end
  if waits[i] > retryAfter then refusedBy, retryAfter = i, waits[i] end
end
for i = buckets + 1, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  inUse[i] = redis.call('ZCARD', KEYS[i])
  if inUse[i] >= tonumber(ARGV[7 + buckets + i]) and slotWaitMs > retryAfter then
    refusedBy, retryAfter = i, slotWaitMs
  end
end
local isTaken = refusedBy == 0 and cost > 0
local answer = { tostring(refusedBy), string.format('%.3f', retryAfter) }
for i = 1, buckets do
  if isTaken then
    missing[i] = missing[i] + cost * tonumber(ARGV[6 + 2 * i])
    redis.call('SET', KEYS[i], string.format('%.3f', now + missing[i]), 'PX', math.ceil(missing[i]) + 1000)
  end
  answer[#answer + 1] = string.format('%.3f', missing[i])
  answer[#answer + 1] = string.format('%.3f', waits[i])
end
for i = buckets + 1, #KEYS do
  if isTaken then
    redis.call('ZADD', KEYS[i], now + leaseMs, lease)
    redis.call('PEXPIRE', KEYS[i], leaseMs)
    inUse[i] = inUse[i] + 1
  end
  answer[#answer + 1] = tostring(inUse[i])
end
return answer
`
