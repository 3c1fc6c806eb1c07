import { Type } from 'typebox'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { passwordResetErrors } from './accounts.errors.ts'

/** Of a reset that somebody else starts: the link, where no mail takes it there. */
export const ResetLinkFields = {
  resetLink: Type.Optional(Type.String({ description: 'Only while the server sends no mail. Shown this once.' })),
  expiresAt: Type.Optional(EpochSeconds),
}

export const resetLinkSuccess = { RESET_LINK_OK: 'A link for a new password was created' } as const

/** A forgotten password. */

export const passwordResetContract = {
  requestPasswordReset: defineCall({
    method: 'POST',
    path: '/forgot-password',
    access: 'anyone',
    duringMaintenance: true,
    summary:
      'Have a link for a new password mailed, at most three times an hour. The answer is the same for an address that nobody has.',
    body: strict({ email: Text(1024) }),
    reply: reply({}),
    errors: passwordResetErrors,
    successes: {
      RESET_REQUEST_OK: 'If there is an account with this address, a link to set a new password is on its way.',
    },
  }),
  resetPassword: defineCall({
    method: 'POST',
    path: '/reset-password',
    access: 'anyone',
    duringMaintenance: true,
    summary:
      'Set a new password by a link, which counts once. Every session ends and none begins: signing in takes the ' +
      'new password and, where it is on, the second factor.',
    body: strict({ token: Text(100, 1), newPassword: Text(1024) }),
    reply: reply({}),
    errors: passwordResetErrors,
    successes: { PASSWORD_RESET_OK: 'Your new password is set. Please sign in.' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof passwordResetContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof passwordResetContract> {}
}
