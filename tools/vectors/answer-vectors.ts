import { base64url } from './vector-keys.ts'

/** What a client must make of a verified reply. */
interface Outcome {
  /** `yes`, or the code to raise. */
  outcome: string
  /** Whether the error says nothing about the license. */
  isTemporary: boolean
  retryAfter: number | null
  requestId: string | null
  downloadUrl: string | null
}

type Body = string | Uint8Array
type Case = { name: string; status: number; body: string } & Outcome

const nothing = { retryAfter: null, requestId: null, downloadUrl: null }
const answer = (name: string, status: number, body: Body, outcome: Partial<Outcome> & { outcome: string }): Case => ({
  name,
  status,
  body: base64url(body),
  isTemporary: false,
  ...nothing,
  ...outcome,
})
const yes = (name: string, body: Body) => answer(name, 200, body, { outcome: 'yes' })
const malformed = (name: string, body: Body, status = 200) =>
  answer(name, status, body, { outcome: 'MALFORMED_REPLY', isTemporary: true })

const good = '{"success":true,"message":"Alive"}'
const failure = (code: string, more = '') =>
  `{"success":false,"message":"No.","code":${JSON.stringify(code)},"requestId":"req-1"${more}}`
const no = (name: string, status: number, code: string, more: Partial<Outcome> & { fields?: string } = {}) => {
  const { fields = '', ...outcome } = more
  return answer(name, status, failure(code, fields), { requestId: 'req-1', ...outcome, outcome: code })
}
const nested = (depth: number) => `{"success":true,"message":"","x":${'['.repeat(depth)}${']'.repeat(depth)}}`
const bytes = (before: string, ...middle: number[]) => Buffer.concat([Buffer.from(before), Buffer.from(middle)])

const successes: Case[] = [
  yes('a success', good),
  yes('a success with unknown fields', '{"success":true,"message":"","new":{"a":[1,null,true]},"code":"RENAMED"}'),
  yes('white space around', ` \t\r\n${good}\n`),
  yes('text outside ASCII', '{"success":true,"message":"Olá 🦭"}'),
  yes('an escaped field name', String.raw`{"\u0073uccess":true,"message":""}`),
  yes('an escaped pair of surrogates', String.raw`{"success":true,"message":"\ud83e\uddad"}`),
  yes('nested 30 deep', nested(30)),
  yes('a field named __proto__', '{"success":true,"message":"","__proto__":{"success":false}}'),
  yes('a number of 40 digits in an unknown field', `{"success":true,"message":"","x":${'9'.repeat(40)}}`),
  yes('of two fields of the same name, the last counts', '{"success":false,"message":"","success":true}'),
]

/** A yes has the status 200 and `"success": true`. Anything else that has no code is not of the protocol. */
const noSuccess: Case[] = [
  ...[201, 202, 203, 204, 206, 207, 299, 300, 304, 400, 403, 404, 500, 503].map((status) =>
    malformed(`success with the status ${status}`, good, status),
  ),
  ...['"true"', '1', 'null', '"yes"', '[true]', '{}', '"false"', '0'].map((value) =>
    malformed(`success is ${value}`, `{"success":${value},"message":""}`),
  ),
  malformed('no success', '{"message":"Alive"}'),
  malformed('success in another case', '{"Success":true,"message":""}'),
  malformed('success with a space in its name', '{"success ":true,"message":""}'),
  malformed('success one level down', '{"answer":{"success":true},"message":""}'),
  malformed(
    'of two fields of the same name, the last counts, as text',
    '{"success":true,"message":"","success":"true"}',
  ),
]

const noJson: Case[] = [
  malformed('an empty body', ''),
  malformed('white space', '  \n'),
  malformed('a list', `[${good}]`),
  malformed('text', JSON.stringify(good)),
  malformed('the word success', '"success"'),
  malformed('true', 'true'),
  malformed('null', 'null'),
  malformed('a number', '200'),
  malformed('a page', '<!doctype html><title>OK</title>'),
  malformed('cut short', good.slice(0, -1)),
  malformed('text after it', `${good}x`),
  malformed('a zero byte after it', bytes(good, 0)),
  malformed('two objects', good + good),
  malformed('a comma at its end', `${good.slice(0, -1)},}`),
  malformed('a comment', `${good.slice(0, -1)}/* */}`),
  malformed('single quotes', "{'success':true,'message':''}"),
  malformed('names without quotes', '{success:true,message:""}'),
  malformed('NaN', '{"success":true,"message":"","x":NaN}'),
  malformed('Infinity', '{"success":true,"message":"","x":-Infinity}'),
  malformed('a number with a leading zero', '{"success":true,"message":"","x":01}'),
  malformed('a number with a plus sign', '{"success":true,"message":"","x":+1}'),
  malformed('a hexadecimal number', '{"success":true,"message":"","x":0x10}'),
  malformed('True with a capital letter', '{"success":True,"message":""}'),
  malformed('a line end within text', '{"success":true,"message":"a\nb"}'),
  malformed('an unknown escape', String.raw`{"success":true,"message":"\x41"}`),
  malformed('a byte order mark', `\u{feff}${good}`),
  malformed('a byte that is not UTF-8', Buffer.concat([bytes('{"success":true,"message":"', 0xff), Buffer.from('"}')])),
  malformed(
    'an overlong UTF-8 sequence',
    Buffer.concat([bytes('{"success":true,"message":"', 0xc0, 0xaf), Buffer.from('"}')]),
  ),
  malformed(
    'a surrogate in UTF-8',
    Buffer.concat([bytes('{"success":true,"message":"', 0xed, 0xa0, 0x80), Buffer.from('"}')]),
  ),
  malformed('UTF-16', Buffer.from(good, 'utf16le')),
  malformed('nested 1,000 deep', nested(1000)),
  malformed('nested 10,000 deep', nested(10_000)),
  malformed('20,000 opening brackets', '['.repeat(20_000)),
  malformed('objects nested 5,000 deep', `{"success":true,"x":${'{"x":'.repeat(5000)}1${'}'.repeat(5000)}}`),
]

const failures: Case[] = [
  no('a known code', 403, 'LICENSE_BANNED'),
  no('an error with the status 200', 200, 'LICENSE_BANNED'),
  no('an error with the status 500', 500, 'INTERNAL_ERROR', { isTemporary: true }),
  no('a rate limit', 429, 'RATE_LIMITED', { isTemporary: true }),
  no('maintenance', 503, 'MAINTENANCE', { isTemporary: true }),
  no('a nonce that was used', 409, 'NONCE_REUSED', { isTemporary: true }),
  no('a clock that is off', 400, 'CLOCK_SKEW', { isTemporary: true }),
  no('an unknown code', 403, 'BRAND_NEW_CODE'),
  no('an unknown code with the status 429', 429, 'BRAND_NEW_CODE', { isTemporary: true }),
  no('an unknown code with the status 503', 503, 'BRAND_NEW_CODE', { isTemporary: true }),
  no('an unknown code that contains a known one', 403, 'LICENSE_BANNED_FOREVER'),
  no('a code that clients raise when nobody knows who answered', 403, 'UNSIGNED_RESPONSE'),
  no('a code with a language name', 403, 'constructor'),
  no('an outdated version', 403, 'VERSION_OUTDATED', {
    fields: ',"downloadUrl":"https://example.com/new"',
    downloadUrl: 'https://example.com/new',
  }),
  no('an empty download URL', 403, 'VERSION_OUTDATED', { fields: ',"downloadUrl":""' }),
  no('a download URL that is no text', 403, 'VERSION_OUTDATED', { fields: ',"downloadUrl":7' }),
  answer('no request ID', 403, '{"success":false,"message":"No.","code":"USER_BANNED"}', { outcome: 'USER_BANNED' }),
  answer('a request ID that is no text', 403, '{"success":false,"message":"No.","code":"USER_BANNED","requestId":7}', {
    outcome: 'USER_BANNED',
  }),
  malformed('a failure without a code', '{"success":false,"message":"No."}', 403),
  malformed('a failure without a message', '{"success":false,"code":"USER_BANNED"}', 403),
  malformed('a code that is a number', '{"success":false,"message":"No.","code":403}', 403),
  malformed('a code that is null', '{"success":false,"message":"No.","code":null}', 403),
  malformed('a code in a list', '{"success":false,"message":"No.","code":["USER_BANNED"]}', 403),
  malformed('a message that is a number', '{"success":false,"message":1,"code":"USER_BANNED"}', 403),
  malformed('a failure without success', '{"message":"No.","code":"USER_BANNED"}', 403),
]

const waits: Case[] = (
  [
    ['5', 5],
    ['0.5', 0.5],
    ['3600', 3600],
    ['1e1', 10],
    ['0', null],
    ['-1', null],
    ['"5"', null],
    ['true', null],
    ['null', null],
    ['[5]', null],
    ['{}', null],
    ['1e400', null],
    ['-1e400', null],
  ] as const
).map(([text, retryAfter]) =>
  no(`retryAfterSeconds ${text}`, 429, 'RATE_LIMITED', {
    fields: `,"retryAfterSeconds":${text}`,
    isTemporary: true,
    retryAfter,
  }),
)

export function answerVectors() {
  return {
    about:
      'What a client must make of a reply whose signature it has verified. body is base64url. outcome is yes, or the ' +
      'code of the error; isTemporary, retryAfter (seconds), requestId, and downloadUrl are properties of that error, ' +
      'null if it has none. MALFORMED_REPLY has the status 0 or that of the reply, and is temporary: it is neither a ' +
      'yes nor a no. A client must read JSON nested 32 deep and reject it nested 1,000 deep.',
    cases: [...successes, ...noSuccess, ...noJson, ...failures, ...waits],
  }
}
