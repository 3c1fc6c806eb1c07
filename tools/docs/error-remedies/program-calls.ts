import { type ClientCall, clientBodies } from '#features/client-api/client-calls.ts'
import type { ProgramError, Remedy } from '../error-codes.ts'

/** A code of the client protocol. `calls` is empty for a code that a client raises by itself. */
export interface ProgramRemedy extends Remedy {
  calls: readonly ClientCall[]
}

export type ProgramRemedies = Partial<Record<ProgramError, ProgramRemedy>>

export const everyCall = Object.keys(clientBodies) as ClientCall[]
export const callsWithSession = everyCall.filter((call) => call !== 'init')
export const callsWithFields = everyCall.filter((call) => Object.keys(clientBodies[call].properties).length > 0)

export const starts = ['init', 'renew'] as const satisfies ClientCall[]
/** Calls that answer only while the user may run the program. */
const requireRunning = [
  'heartbeat',
  'variable',
  'user-variable',
  'set-user-variable',
  'download',
  'change-password',
  'call-webhook',
] as const satisfies ClientCall[]
export const callsOfSignedIn = [...requireRunning, 'upgrade'] as const satisfies ClientCall[]
/** Calls that check the user's subscriptions. */
export const callsWithAccess = ['license', 'login', 'renew', ...requireRunning] as const satisfies ClientCall[]
export const redeeming = ['license', 'login', 'register', 'upgrade'] as const satisfies ClientCall[]
export const passwordCalls = ['login', 'change-password'] as const satisfies ClientCall[]
export const hashingCalls = ['login', 'register', 'change-password'] as const satisfies ClientCall[]
export const hwidCalls = ['license', 'login', 'register', 'renew'] as const satisfies ClientCall[]
