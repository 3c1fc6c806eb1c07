import { expect, test } from 'vitest'
import { clientErrors } from '#features/client-api/client-api.errors.ts'
import { notAdmittedCode } from '#features/logs/logs.rules.ts'
import { rejectionTexts } from '#features/logs/web/rejection-texts.ts'

test('an owner is told which rule decided, for every code that a program can be refused with', () => {
  expect(Object.keys(clientErrors).filter((code) => !rejectionTexts[code])).toEqual([])
})

test('no rule is explained that refuses nobody', () => {
  const others = Object.keys(rejectionTexts).filter((code) => !(code in clientErrors))
  expect(others.toSorted()).toEqual(['LOGIN_COOLDOWN', notAdmittedCode])
})
