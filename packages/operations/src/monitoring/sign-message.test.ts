import { expect, test } from 'vitest'
import { newWebhookSecret, signedHeaders } from './sign-message.ts'

// The one that the libraries of Standard Webhooks test themselves with.
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  sentAt: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

test('a message is signed as the specification says', () => {
  expect(signedHeaders(vector, [vector.secret])).toEqual({
    'webhook-id': vector.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': vector.signature,
  })
})

test('with two secrets there are two signatures, and each secret finds its own', () => {
  const other = newWebhookSecret()
  const { 'webhook-signature': both = '' } = signedHeaders(vector, [other, vector.secret])
  const { 'webhook-signature': alone } = signedHeaders(vector, [other])
  expect(both.split(' ')).toEqual([alone, vector.signature])
})

test('every secret is another one, of a length that the specification allows', () => {
  const [one, other] = [newWebhookSecret(), newWebhookSecret()]
  expect(one).toMatch(/^whsec_/)
  expect(one).not.toBe(other)
  expect(Buffer.from(one.slice('whsec_'.length), 'base64')).toHaveLength(32)
})
