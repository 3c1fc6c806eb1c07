import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CallError } from '#contract/errors.ts'
import { parseJsonBody } from './json-body.ts'

function codeOf(text: string | Uint8Array): string | undefined {
  try {
    parseJsonBody(typeof text === 'string' ? Buffer.from(text) : text)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(CallError)
    return (error as CallError).code
  }
}

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"f${n}":"[{:,}]\\""`).join(',')}}`

describe('the JSON of a request (R-INP-02)', () => {
  test.each<[string, string, string | undefined]>([
    ['20 levels deep', nested(20), undefined],
    ['21 levels deep', `[${nested(20)}]`, 'JSON_TOO_COMPLEX'],
    ['brackets in a text', JSON.stringify('[{'.repeat(50)), undefined],
    ['a quote and brackets in a text', JSON.stringify('"\\"[[[[[[[[[[[[[[[[[[[[[[['), undefined],
    ['1000 fields', fields(1000), undefined],
    ['1001 fields', fields(1001), 'JSON_TOO_COMPLEX'],
    ['1001 fields in many objects', `[${Array(1001).fill('{"a":1}').join(',')}]`, 'JSON_TOO_COMPLEX'],
    ['the same field in two objects', '[{"a":1},{"a":2}]', undefined],
    ['a field twice', '{"a":1,"b":2,"a":3}', 'FIELD_REPEATED'],
    ['a field twice, once in disguise', '{"a":1,"\\u0061":3}', 'FIELD_REPEATED'],
    ['a field twice, deep inside', '{"x":[1,{"y":{"a":1,"a":1}}]}', 'FIELD_REPEATED'],
    ['__proto__', '{"__proto__":{"a":1}}', 'FIELD_UNKNOWN'],
    ['__proto__ in disguise, deep inside', '{"x":[{"\\u005f_proto__":1}]}', 'FIELD_UNKNOWN'],
    ['nothing', '', 'INVALID_JSON'],
    ['a BOM', '\uFEFF{}', 'INVALID_JSON'],
    ['half a text', '{"a":"', 'INVALID_JSON'],
    ['a text that ends in a backslash', '"\\', 'INVALID_JSON'],
    ['more ends than beginnings', ']]]]{}', 'INVALID_JSON'],
  ])('%s', (_name, text, code) => expect(codeOf(text)).toBe(code))

  test("rejects bytes that aren't UTF-8 instead of guessing", () => {
    expect(codeOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('INVALID_JSON')
    expect(codeOf(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe('INVALID_JSON')
  })

  test('any JSON is parsed as by JSON.parse, or rejected for its size', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 12 }), (text) => {
        const expected = JSON.parse(text) as unknown
        if (text.includes('__proto__') || codeOf(text) === 'JSON_TOO_COMPLEX') return
        expect(parseJsonBody(Buffer.from(text))).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})
