import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clientErrors } from '#features/client-api/client-api.errors.ts'
import { notAdmittedCode } from '#features/logs/logs.rules.ts'
import { rejectionTexts } from '#features/logs/web/rejection-texts.ts'

test('every code that a program can be rejected with has an explanation for owners', () => {
  expect(Object.keys(clientErrors).filter((code) => !rejectionTexts[code])).toEqual([])
})

test('every explained rule can reject a program', () => {
  const others = Object.keys(rejectionTexts).filter((code) => !(code in clientErrors))
  expect(others.toSorted()).toEqual(['LOGIN_COOLDOWN', notAdmittedCode])
})

test('every code has a page in the documentation, to which the dashboard links', () => {
  const pages = Object.keys(clientErrors).map((code) => code.toLowerCase().replaceAll('_', '-'))
  expect(pages.filter((page) => !existsSync(`docs/reference/errors/${page}.md`))).toEqual([])
})
