import { AwsV4Signer } from 'aws4fetch'
import { describe, expect, test } from 'vitest'
import { isSignedBody, signatureProblem } from './signature-v4.ts'

/**
 * The four examples in Amazon's "Authenticating Requests: Using the Authorization Header", with its keys, time and
 * bucket. They verify the checks of the test server and the library that signs our requests.
 */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const now = Date.UTC(2013, 4, 24) / 1000
const host = 'examplebucket.s3.amazonaws.com'
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const common = { 'x-amz-content-sha256': emptyHash, 'x-amz-date': '20130524T000000Z' }

interface Example {
  method: string
  target: string
  headers: Record<string, string>
  signature: string
}

const examples: Record<string, Example> = {
  'of a range of an object': {
    method: 'GET',
    target: '/test.txt',
    headers: { ...common, range: 'bytes=0-9' },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  'of a new object': {
    method: 'PUT',
    target: '/test%24file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-date': '20130524T000000Z',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  'of a part of the bucket': {
    method: 'GET',
    target: '/?lifecycle',
    headers: common,
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  'of a list': {
    method: 'GET',
    target: '/?max-keys=2&prefix=J',
    headers: common,
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
}

const authorized = ({ method, target, headers, signature }: Example) => {
  const signed = ['host', ...Object.keys(headers)].toSorted().join(';')
  const credential = `${credentials.accessKeyId}/20130524/us-east-1/s3/aws4_request`
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${signed},Signature=${signature}`
  return { method, target, headers: { ...headers, host, authorization } as Record<string, string> }
}

describe.each(Object.entries(examples))("Amazon's example %s", (_what, example) => {
  test('is signed as it says', async () => {
    const { method, target, headers, signature } = example
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: `https://${host}${target}`,
      headers,
      service: 's3',
      datetime: '20130524T000000Z',
      allHeaders: true,
    })
    expect(await signer.signature()).toBe(signature)
  })

  test('is accepted, and no other like it', () => {
    const request = authorized(example)
    expect(signatureProblem(request, credentials, now)).toBeUndefined()
    const others = [
      { ...request, method: 'DELETE' },
      { ...request, target: request.target.replace('/', '/x') },
      { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}x=1` },
      { ...request, headers: { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } },
      { ...request, headers: { ...request.headers, host: 'other' } },
    ]
    for (const other of others) expect(signatureProblem(other, credentials, now)).toBe('SignatureDoesNotMatch')
    expect(signatureProblem(request, { ...credentials, secretAccessKey: 'other' }, now)).toBe('SignatureDoesNotMatch')
    expect(signatureProblem(request, { ...credentials, accessKeyId: 'other' }, now)).toBe('InvalidAccessKeyId')
    expect(signatureProblem(request, credentials, now + 901)).toBe('RequestTimeTooSkewed')
    const unsigned = { ...request, headers: { ...request.headers, 'x-amz-acl': 'public-read' } }
    expect(signatureProblem(unsigned, credentials, now)).toBe('AccessDenied')
    expect(signatureProblem({ ...request, headers: { host } }, credentials, now)).toBe('AccessDenied')
  })
})

test('a body is that of its hash or rejected', () => {
  expect(isSignedBody({ 'x-amz-content-sha256': emptyHash }, Buffer.alloc(0))).toBe(true)
  expect(isSignedBody({ 'x-amz-content-sha256': emptyHash }, Buffer.from('x'))).toBe(false)
  expect(isSignedBody({ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }, Buffer.from('x'))).toBe(false)
})
