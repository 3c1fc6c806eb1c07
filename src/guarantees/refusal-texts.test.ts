import { expect, test } from 'vitest'
import { clientRefusals } from '#features/client-api/client-api.refusals.ts'
import { notAdmittedCode } from '#features/logs/logs.rules.ts'
import { refusalTexts } from '#features/logs/web/refusal-texts.ts'

test('an owner is told which rule decided, for every code that a program can be refused with', () => {
  expect(Object.keys(clientRefusals).filter((code) => !refusalTexts[code])).toEqual([])
})

test('no rule is explained that refuses nobody', () => {
  const others = Object.keys(refusalTexts).filter((code) => !(code in clientRefusals))
  expect(others.toSorted()).toEqual(['LOGIN_COOLDOWN', notAdmittedCode])
})
