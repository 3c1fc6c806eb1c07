import { expect, test } from 'vitest'
import {
  cnameTarget,
  builtInPlans,
  configProblem,
  configuredParts,
  customPlanDays,
  domainProblem,
  planDays,
} from './resellers.rules.ts'

test('a custom plan is whole days: hours rounded up, weeks of 7, months of 30', () => {
  expect(customPlanDays(1, 'hours')).toBe(1)
  expect(customPlanDays(25, 'hours')).toBe(2)
  expect(customPlanDays(3, 'days')).toBe(3)
  expect(customPlanDays(2, 'weeks')).toBe(14)
  expect(customPlanDays(3, 'months')).toBe(90)
  for (const duration of [0, -1, 1.5, NaN, Infinity, 1e9]) expect(customPlanDays(duration, 'days')).toBeUndefined()
})

test('a plan is a number of days as text', () => {
  for (const days of builtInPlans) expect(planDays(String(days))).toBe(days)
  for (const plan of ['', '0', '-1', '1.5', '01', '1e3', ' 7', '36501', '__proto__']) {
    expect(planDays(plan), plan).toBeUndefined()
    expect(configProblem({ allowedPlans: [plan] })).toMatchObject({ code: 'PLAN_INVALID' })
  }
})

test('a configuration has three parts, and levels count only if some are selected', () => {
  expect(configuredParts(0, { allowedPlans: [], allowedLevels: [] })).toBe(0)
  expect(configuredParts(5, { allowedPlans: ['7'], allowedLevels: [] })).toBe(2)
  expect(configuredParts(5, { allowedPlans: ['7'], allowedLevels: [1] })).toBe(3)
})

test('a domain is a host name, a color is hexadecimal, and a logo uses https', () => {
  const form = { companyName: '', logoUrl: '', primaryColor: '#1bff00', secondaryColor: '#8B5CF6' }
  const codeOf = (more: object) => domainProblem({ domain: 'shop.example.com', ...form, ...more })?.code
  expect(codeOf({})).toBeUndefined()
  expect(codeOf({ domain: ' ' })).toBe('DOMAIN_REQUIRED')
  for (const domain of [
    'localhost',
    '10.0.0.1',
    'a b.com',
    'https://x.com',
    'x.com/path',
    '-x.com',
    `${'x'.repeat(64)}.com`,
  ])
    expect(codeOf({ domain }), domain).toBe('DOMAIN_INVALID')
  for (const logoUrl of ['http://x.com/a.png', 'javascript:alert(1)', 'x', 'https://user@x.com/a.png'])
    expect(codeOf({ logoUrl })).toBe('LOGO_URL_INVALID')
  for (const primaryColor of ['red', '#12345', '#12345g', 'url(x)'])
    expect(codeOf({ primaryColor })).toBe('COLOR_INVALID')
})

test("a CNAME record points to the server's host name, and there is none if it has only an address", () => {
  expect(cnameTarget('https://keys.signet.test:8443')).toBe('keys.signet.test')
  for (const own of ['127.0.0.1:8080', '192.168.1.20', '0.0.0.0', '[::1]:8080', 'localhost:8080', 'server'])
    expect(cnameTarget(`http://${own}`)).toBe('')
})
