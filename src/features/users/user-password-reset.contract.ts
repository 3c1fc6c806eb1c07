import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { reply, strict, Text } from '#contract/fields.ts'
import { userPasswordResetErrors } from './users.errors.ts'

/** Password reset for an end user of a program; the program requests the link (docs/protocol.md). */
export const userPasswordResetContract = {
  resetUserPassword: defineCall('POST /reset-user-password', {
    access: 'anyone',
    summary:
      'Set the password of an end user with the link from a reset email. The link works once, and all sessions of the user end.',
    body: strict({ token: Text(100, 1), newPassword: Text(1024) }),
    reply: reply({}),
    errors: userPasswordResetErrors,
    successes: { USER_PASSWORD_RESET_OK: 'Your new password is set. Sign in to your program with it.' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof userPasswordResetContract> {}
  interface Codes extends CodesOf<typeof userPasswordResetContract> {}
}
