import { expect, test } from 'vitest'
import type { DiagnosisEvent } from '#features/diagnosis/web/why-data.ts'
import { programRuns } from './program-runs.ts'

const event = (timestamp: number, more: Partial<DiagnosisEvent>) => ({ timestamp, ...more }) as DiagnosisEvent
const signIn = (at: number, code = '') => event(at, { call: 'license', code, act: '' })
const auditEvent = (at: number, name: string) => event(at, { call: '', code: '', act: name })

const phaseOf = (banned: boolean, ...events: DiagnosisEvent[]) =>
  programRuns({ license: { banned }, events: events.toReversed() }).phase

test('follows a key from its creation to its ban and back', () => {
  const start = signIn(10)
  const ban = auditEvent(20, 'license.ban')
  const rejection = signIn(30, 'LICENSE_BANNED')
  expect(phaseOf(false)).toBe('waiting')
  expect(phaseOf(false, auditEvent(1, 'license.create'))).toBe('waiting')
  expect(phaseOf(false, start)).toBe('running')
  expect(phaseOf(true, start, ban)).toBe('banned')
  expect(phaseOf(true, start, ban, rejection)).toBe('rejected')
  expect(phaseOf(false, start, ban, rejection, auditEvent(40, 'license.unban'))).toBe('restored')
  expect(phaseOf(false, start, ban, rejection, auditEvent(40, 'license.unban'), signIn(50))).toBe('running')
})

test('a rejection counts for the ban in force only, also in the second of the ban', () => {
  const first = [
    signIn(10),
    auditEvent(20, 'license.ban'),
    signIn(30, 'LICENSE_BANNED'),
    auditEvent(40, 'license.unban'),
  ]
  expect(phaseOf(true, ...first, auditEvent(50, 'license.ban'))).toBe('banned')
  expect(phaseOf(true, ...first, auditEvent(50, 'license.ban'), signIn(50, 'LICENSE_BANNED'))).toBe('rejected')
  // A ban without a sign-in before it.
  expect(phaseOf(true, auditEvent(5, 'license.ban'))).toBe('banned')
})

test('names the newest rejection for another reason, unless a sign-in came after it', () => {
  const problemOf = (...events: DiagnosisEvent[]) =>
    programRuns({ license: { banned: false }, events: events.toReversed() }).problem?.code
  expect(problemOf(signIn(10, 'HWID_TOO_SHORT'))).toBe('HWID_TOO_SHORT')
  expect(problemOf(signIn(10, 'HWID_TOO_SHORT'), signIn(20))).toBeUndefined()
  expect(problemOf(signIn(10), signIn(20, 'LICENSE_BANNED'))).toBeUndefined()
})
