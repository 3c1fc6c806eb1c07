import { expect, test } from 'vitest'
import { lengthText } from './length-text.ts'

test('says the whole length, not only its largest unit', () => {
  expect(lengthText(300, 'en')).toBe('5 minutes')
  expect(lengthText(3600, 'en')).toBe('1 hour')
  expect(lengthText(5400, 'en')).toBe('1 hour, 30 minutes')
  expect(lengthText(86_400, 'en')).toBe('1 day')
  expect(lengthText(3661, 'pt-BR')).toBe('1 hora, 1 minuto e 1 segundo')
})
