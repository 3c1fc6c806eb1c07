import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, RequiredText, strict, Text } from '#contract/fields.ts'
import { passwordResetErrors } from './accounts.errors.ts'

/** A password reset that somebody else starts; the reply holds the link if the server sends no email. */
export const ResetLinkFields = {
  resetLink: Type.Optional(Type.String({ description: 'Only when the server does not send email. Shown only once' })),
  expiresAt: Type.Optional(EpochSeconds),
}

export const resetLinkSuccess = { RESET_LINK_OK: 'Password reset link created' } as const

/** Forgotten passwords. */

export const passwordResetContract = {
  requestPasswordReset: defineCall('POST /forgot-password', {
    access: 'anyone',
    duringMaintenance: true,
    summary:
      'Request a password reset link by email, at most three times an hour. The reply is the same for an unknown address.',
    body: strict({ email: RequiredText(1024, 'EMAIL_REQUIRED') }),
    reply: reply({}),
    errors: passwordResetErrors,
    successes: {
      RESET_REQUEST_OK: 'If there is an account with this address, a link to set a new password has been sent.',
    },
  }),
  resetPassword: defineCall('POST /reset-password', {
    access: 'anyone',
    duringMaintenance: true,
    summary:
      'Set a new password with a reset link, which works once. All sessions of the account end. Then sign in with the new password and, if it is turned on, two-factor authentication.',
    body: strict({ token: Text(100, 1), newPassword: Text(1024) }),
    reply: reply({}),
    errors: passwordResetErrors,
    successes: { PASSWORD_RESET_OK: 'Your new password is set. Please sign in.' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof passwordResetContract> {}
  interface Codes extends CodesOf<typeof passwordResetContract> {}
}
