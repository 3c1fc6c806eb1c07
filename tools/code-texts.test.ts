import { i18n } from '@lingui/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { commonErrors } from '#contract/common-errors.ts'
import { withMessage } from '#contract/define-call.ts'
import { callError, type ErrorDefinitions, type Values } from '#contract/errors.ts'
import { codeText, codeTextsStore, loadCodeTexts } from '#web/api/code-text.ts'
import { everyCodeText, textByCode } from './code-texts.ts'
import { features } from '../src/features.ts'

/** A code has one English text: replies and the dashboard use the same. */

const calls = features.flatMap(({ contract }) => Object.values(contract)).filter(({ area }) => area !== 'seller')

const everyRejection: ErrorDefinitions = Object.assign({}, commonErrors, ...calls.map(({ errors }) => errors))
const everySuccess: Record<string, string> = Object.assign({}, ...calls.map(({ successes }) => successes))

/** A value for each placeholder of a text. */
const valuesFor = (text: string, count: number): Values =>
  Object.fromEntries(
    [...text.matchAll(/\{(\w+)(, select)?/g)].map(([, name = '', select]) => [name, select ? 'webhooks' : count]),
  )

beforeAll(async () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  await loadCodeTexts()
})

describe('the English message of a reply is the text that the dashboard shows', () => {
  test.each(Object.keys(everyRejection))('%s', (code) => {
    for (const count of [1, 2]) {
      const values = valuesFor(everyRejection[code]?.message ?? '', count)
      const { message } = callError(everyRejection, code, { values })
      expect(codeText({ code, values })).toBe(message)
      expect(message).not.toMatch(/[{}]/)
    }
  })

  test.each(Object.keys(everySuccess))('%s', (code) => {
    for (const count of [1, 2]) {
      const values = valuesFor(everySuccess[code] ?? '', count)
      const { message } = withMessage({ successes: everySuccess }, { code, values })
      expect(codeText({ code, values })).toBe(message)
      expect(message).not.toMatch(/[{}]/)
    }
  })
})

test('the dashboard has texts for the errors that its forms find before a call', () => {
  expect(Object.keys(codeTextsStore.get())).toEqual(
    expect.arrayContaining(['CONFIRMATION_DIFFERS', 'CONFIRMATION_REQUIRED', 'TERMS_NOT_ACCEPTED']),
  )
})

test("the texts of seller calls aren't sent to browsers, because shops read the reply itself", async () => {
  const ofShops = features
    .flatMap(({ contract }) => Object.values(contract))
    .filter(({ area }) => area === 'seller')
    .flatMap(({ errors, successes }) => Object.keys({ ...errors, ...successes }))
  const codes = await everyCodeText()
  expect(ofShops).toContain('USER_EXTEND_OK')
  expect(codes.has('USER_EXTEND_OK')).toBe(false)
})

describe('a planted code', () => {
  const known = { code: 'KNOWN', text: 'Known' }

  test('without a text is detected', () => {
    expect(() => textByCode([known, { code: 'PLANTED', text: ' ' }])).toThrow('PLANTED has no text')
  })

  test("with two texts is detected, and with the same one twice isn't", () => {
    expect(() => textByCode([known, { code: 'KNOWN', text: 'Another' }])).toThrow(
      'KNOWN has two texts: "Known" and "Another"',
    )
    expect([...textByCode([known, known]).values()]).toEqual(['Known'])
  })
})
